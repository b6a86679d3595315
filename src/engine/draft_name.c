/* Types guessed from names. A guess costs little: a wrong one shows as cells that are not of the type, which the
 * import counts for the owner. */
#include <ctype.h>
#include <string.h>

#include "engine/draft_parts.h"

enum { WORD_ROOM = 32 };

static const struct {
    enum policy_type type;
    const char *words; /* each between blanks */
} endings[] = {
    {POLICY_INTEGER,
     " id key no nr num number age year years month months week weeks days hours minutes seconds "
     "count counts quantity qty visits beds children rooms floors rank size pieces packs units points "
     "grade "},
    {POLICY_DATE, " date day birthday birthdate born died dob "},
    {POLICY_TIMESTAMP, " timestamp time datetime at when moment "},
    {POLICY_REAL,
     " cost costs price salary income amount wage wages revenue turnover total sum balance fee tax "
     "weight height bmi rate ratio share percent percentage score value temperature latitude lat longitude "
     "lon lng distance duration pressure dose area length width depth speed mean average "},
    {POLICY_BOOLEAN, " flag active deleted enabled insured smoker "},
};

static bool is_among(const char *word, const char *words)
{
    char wanted[WORD_ROOM + 2] = " ";
    strcat(strcat(wanted, word), " ");
    return strstr(words, wanted) != NULL;
}

/* The first word of the name, or the last: words end at "_", "-", ".", blanks, and before capitals. */
static void word_of(const char *name, bool last, char out[WORD_ROOM])
{
    size_t kept = 0;
    out[0] = '\0';
    for (const char *at = name; *at != '\0'; at++) {
        bool gap = strchr("_-. ", *at) != NULL;
        bool capital = at > name && isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
        if ((gap || capital) && !last && kept > 0)
            return;
        if (gap || capital)
            kept = 0;
        if (!gap && kept + 1 < WORD_ROOM) {
            out[kept++] = (char)tolower((unsigned char)*at);
            out[kept] = '\0';
        }
    }
}

enum policy_type draft_type_by_name(const char *name)
{
    char first[WORD_ROOM], last[WORD_ROOM];
    word_of(name, false, first);
    word_of(name, true, last);
    if (strcmp(first, last) != 0 && is_among(first, " is has was had can does "))
        return POLICY_BOOLEAN;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (last[0] != '\0' && is_among(last, endings[i].words))
            return endings[i].type;
    return POLICY_TEXT;
}
