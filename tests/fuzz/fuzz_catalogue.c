/* Feeds arbitrary text to the catalogue's rewriting: what it takes for its own, which parameters it finds, and what it makes of it. What
 * it accepts is printed SQL; nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "serve/catalogue_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const struct catalogue_parameter parameters[] = {{25, "a'b"}, {0, NULL}, {23, "7"}};
    char *text = malloc(count + 1), sqlstate[6] = "XX000";
    uint32_t oids[8];
    size_t found = 0;
    const char *sql = NULL;
    struct arena arena;
    error why = {.message = ""};
    if (text == NULL)
        return 0;
    memcpy(text, bytes, count);
    text[count] = '\0';
    arena_init(&arena, 1 << 28);
    const struct catalogue_question question = {
        .text = text, .length = count, .user = "al'ice", .parameters = parameters, .parameter_count = 3};
    struct catalogue_rewrite rewrite = {
        .arena = &arena, .question = &question, .dataset = "hospital", .why = &why, .sqlstate = sqlstate};
    (void)catalogue_concerns(text, count);
    (void)!catalogue_parameters(text, count, oids, 8, &found, &why);
    why.message[0] = '\0';
    if (catalogue_rewrite(&rewrite, &sql) == DITHER_OK) {
        if (sql == NULL || strlen(sql) == 0)
            abort();
    } else if (why.message[0] == '\0') {
        abort();
    }
    arena_free(&arena);
    free(text);
    return 0;
}
