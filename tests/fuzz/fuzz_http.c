/* Feeds arbitrary bytes to the reader of HTTP bodies: the first line is the header Idempotency-Key, if it begins with '#'; the rest is
 * the body. What it accepts is a question with a text, and no more parameters than the limit. */
#include <stdlib.h>
#include <string.h>

#include "serve/http_question.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct http_question question; /* as the server has it: read, freed, read again */
    char key[256] = "";
    struct buffer body;
    const uint8_t *end = count > 0 && bytes[0] == '#' ? memchr(bytes, '\n', count) : NULL;
    if (end != NULL && (size_t)(end - bytes) < sizeof key) {
        memcpy(key, bytes + 1, (size_t)(end - bytes) - 1);
        key[end - bytes - 1] = '\0';
        count -= (size_t)(end - bytes) + 1;
        bytes = end + 1;
    }
    error why = {.message = ""};
    buffer_init(&body, 1 << 20);
    buffer_append(&body, bytes, count);
    memset(&question, 0, sizeof question);
    status result = http_question_read(&question, &body, key[0] != '\0' ? key : NULL, &why);
    if (result == DITHER_OK &&
        (question.question.text == NULL || question.question.parameters.count > HTTP_MOST_PARAMETERS))
        abort();
    if (result != DITHER_OK && why.message[0] == '\0')
        abort();
    http_question_free(&question);
    buffer_free(&body);
    return 0;
}
