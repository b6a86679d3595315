/* LIKE with PostgreSQL's meaning: % any characters, _ one, the backslash takes the next as it is. DuckDB's own tries every
 * way that several % can be met, one inside the other; this one never goes back before the last %. */
#include <string.h>

#include "engine/characters.h"
#include "engine/duckdb_functions_parts.h"

/* One character of the pattern against one of the text: how far each goes on, or false. */
static bool match_one(const char **pattern, const char *pattern_end, const char **text, const char *text_end)
{
    const char *at = *pattern;
    bool any = *at == '_';
    if (*at == '\\' && at + 1 < pattern_end)
        at++;
    const char *pattern_next = character_next(at, pattern_end), *text_next = character_next(*text, text_end);
    size_t length = (size_t)(text_next - *text);
    if (!any && ((size_t)(pattern_next - at) != length || memcmp(at, *text, length) != 0))
        return false;
    *pattern = pattern_next;
    *text = text_next;
    return true;
}

/* Behind a % the rest is tried at each place; a later % makes earlier ones settled, so that the work is at most the
 * product of both lengths. */
static bool like(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *text = arguments->text, *text_end = text + arguments->length;
    const char *pattern = arguments[1].text, *pattern_end = pattern + arguments[1].length;
    const char *star = NULL, *resume = NULL; /* behind the last %, and where it was tried */
    out->whole = 0;
    while (text < text_end) {
        if (pattern < pattern_end && *pattern == '%') {
            star = ++pattern;
            resume = text;
        } else if (pattern < pattern_end && match_one(&pattern, pattern_end, &text, text_end)) {
            continue;
        } else if (star != NULL) {
            text = resume = character_next(resume, text_end);
            pattern = star;
        } else {
            return true;
        }
    }
    while (pattern < pattern_end && *pattern == '%')
        pattern++;
    out->whole = pattern == pattern_end;
    return true;
}

const struct function_entry functions_like[] = {
    {"dither_like", "tt", 'b', like, false, NULL},
    {0},
};
