/* Feeds arbitrary bytes to the parser of questions (fuzz preset). What it accepts is one SELECT, and every position
 * of a refusal is inside the text. Start from tests/base/corpus/sql. */
#include <stdlib.h>

#include "sql/parse.h"
#include "sql/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    struct sql_parsed parsed;
    error why = {.position = -1};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = sql_parse((const char *)bytes, count, &arena, &parsed, &why);
    if (result == DITHER_OK) {
        if (parsed.select == NULL || parsed.tree->n_stmts != 1)
            abort();
        sql_parsed_free(&parsed);
    } else if (why.position < -1 || why.position > (int)count) {
        abort();
    }
    arena_free(&arena);
    return result == DITHER_OK || result == DITHER_INVALID || result == DITHER_REFUSED ? 0 : -1;
}
