/* Feeds arbitrary bytes to the reader of survey files (fuzz preset). Start from examples/commuting/commuting.yaml. */
#include <stdlib.h>

#include "local/survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    const struct survey *survey = NULL;
    arena_init(&arena, (size_t)64 << 20);
    status result = survey_parse((const char *)bytes, count, "fuzz.yaml", &arena, &survey, NULL);
    if (result != DITHER_OK && result != DITHER_INVALID)
        abort();
    if (result == DITHER_OK && (survey->question_count == 0 || !(survey->epsilon > 0)))
        abort();
    arena_free(&arena);
    return 0;
}
