#include "tests/support/survey_text.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

const char *survey_text_changed(const char *text, const char *old, const char *new)
{
    static char changed[4000];
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return changed;
}

status survey_text_parse(const char *text, const char *name, struct arena *arena, const struct survey **out,
                         error *why)
{
    char path[100];
    snprintf(path, sizeof path, "work/%s.yaml", name);
    arena_init(arena, (size_t)64 << 20);
    return survey_parse(text, strlen(text), path, arena, out, why);
}

void survey_text_refused(const char *text, const char *name, const char *message)
{
    struct arena arena;
    const struct survey *survey = NULL;
    error why = {0};
    if (survey_text_parse(text, name, &arena, &survey, &why) != DITHER_INVALID ||
        strstr(why.message, message) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", text, why.message, message);
    arena_free(&arena);
}

uint64_t survey_text_key(const char *text, size_t question)
{
    struct arena arena;
    const struct survey *survey = NULL;
    error why;
    if (survey_text_parse(text, "keyed", &arena, &survey, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    uint64_t key = survey->questions[question].key;
    arena_free(&arena);
    return key;
}
