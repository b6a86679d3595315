#include <assert.h>
#include <string.h>

#include "local/period.h"
#include "policy/calendar.h"

enum { SECONDS_OF_DAY = 86400 };

bool period_read(enum period_kind kind, const char *text, int32_t *out)
{
    assert(kind < PERIOD_KINDS);
    int64_t day = 0;
    if (kind == PERIOD_ONCE) {
        *out = 0;
        return strcmp(text, "all") == 0;
    }
    if (!calendar_read_date(text, &day))
        return false;
    *out = period_at(kind, day * SECONDS_OF_DAY);
    return true;
}
