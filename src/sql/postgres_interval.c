/* A moment moved by an interval: by its months, then its days, then its time, and each of these steps has to end within the
 * years 1 to 9999 (civil_add); PostgreSQL would raise an error not far behind them. */
#include <inttypes.h>
#include <string.h>

#include "sql/civil.h"
#include "sql/postgres_form.h"

/* ---- By a constant ---- */

struct move {
    int64_t months, days, microseconds;
};

/* " + CAST('+1 months +2 days' AS INTERVAL)": a sign for each, so that the session's style does not matter. */
static void print_part(struct buffer *form, const struct move *move, bool with_days, bool with_time)
{
    buffer_format(form, " + CAST('%+" PRId64 " months %+" PRId64 " days", move->months,
                  with_days ? move->days : 0);
    if (with_time) {
        int64_t size = move->microseconds < 0 ? -move->microseconds : move->microseconds;
        buffer_format(form, " %c%" PRId64 ":%02d:%02d.%06d", move->microseconds < 0 ? '-' : '+',
                      size / 3600000000, (int)(size / 60000000 % 60), (int)(size / 1000000 % 60),
                      (int)(size % 1000000));
    }
    buffer_text(form, "' AS INTERVAL)");
}

static void print_moment(struct buffer *form, int64_t microseconds)
{
    postgres_print_literal(form, &(struct sql_value){.type = SQL_TIMESTAMP, .whole = microseconds});
}

/* No move that large stays within the years; and PostgreSQL's own bounds are far behind. */
static bool is_possible(const struct move *move)
{
    const int64_t most_days = CIVIL_LAST_DAY - CIVIL_FIRST_DAY;
    const int64_t most = (most_days + 1) * CIVIL_DAY_MICROSECONDS;
    return move->months >= -120000 && move->months <= 120000 && move->days >= -most_days &&
           move->days <= most_days && move->microseconds >= -most && move->microseconds <= most;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* One CASE inside the other: each condition is evaluated only where those before it hold. */
static void write_form(struct buffer *form, const char *moment, const struct move *move)
{
    buffer_format(form,
                  "(CASE WHEN %s BETWEEN " FORM_FIRST_MOMENT " AND " FORM_LAST_MOMENT
                  " THEN CASE WHEN CAST(extract(year FROM %s) * 12 + extract(month FROM %s) AS INTEGER)"
                  " + (%" PRId64 ") BETWEEN 13 AND 120000 THEN CASE WHEN CAST(%s",
                  moment, moment, moment, move->months, moment);
    print_part(form, move, false, false);
    buffer_format(form, " AS DATE) - DATE '1970-01-01' + (%" PRId64 ") BETWEEN %d AND %d THEN CASE WHEN %s",
                  move->days, CIVIL_FIRST_DAY, CIVIL_LAST_DAY, moment);
    print_part(form, move, true, false);
    buffer_text(form, " BETWEEN ");
    print_moment(form, larger(CIVIL_FIRST_MOMENT, CIVIL_FIRST_MOMENT - move->microseconds));
    buffer_text(form, " AND ");
    print_moment(form, -larger(-CIVIL_LAST_MOMENT, -CIVIL_LAST_MOMENT + move->microseconds));
    buffer_format(form, " THEN %s", moment);
    print_part(form, move, true, true);
    buffer_text(form, " END END END END)");
}

/* ---- By what is known only in the row ---- */

#define TIME_OF "(a.i - make_interval(months => a.m, days => a.d))"
#define MOVED_BY(moment, interval, plus, minus)                                                              \
    "(SELECT CASE WHEN " FORM_HAS_MOMENT(                                                                    \
        "a.t") " AND a.m BETWEEN -120000 AND 120000"                                                         \
               " AND a.d BETWEEN -3652058 AND 3652058 AND a.h BETWEEN -88000000 AND 88000000"                \
               " THEN CASE WHEN extract(year FROM a.t) * 12 + extract(month FROM a.t) " plus                 \
               " a.m BETWEEN 13 AND 120000 THEN CASE WHEN CAST(a.t " plus                                    \
               " make_interval(months => a.m) AS DATE)"                                                      \
               " - DATE '1970-01-01' " plus " a.d BETWEEN -719162 AND 2932896 THEN CASE WHEN a.t " plus      \
               " make_interval(months => a.m, days => a.d) BETWEEN greatest(" FORM_FIRST_MOMENT              \
               ", " FORM_FIRST_MOMENT " " minus " " TIME_OF ") AND least(" FORM_LAST_MOMENT                  \
               ", " FORM_LAST_MOMENT " " minus " " TIME_OF ") THEN a.t " plus                                \
               " a.i END END END END FROM (SELECT " moment " AS t, CAST(extract(year FROM " interval         \
               ") * 12 + extract(month FROM " interval ") AS INTEGER) AS m, CAST(extract(day FROM " interval \
               ") AS INTEGER) AS d, extract(hour FROM " interval ") AS h, " interval " AS i OFFSET 0) AS a)"

void postgres_print_moved(struct sql_printer *printer, const struct sql_expression *call, size_t moment)
{
    const struct sql_expression *interval = call->arguments[1 - moment];
    bool minus = sql_is_call(call, "-");
    if (interval->kind != SQL_LITERAL) {
        postgres_print_form(printer, call,
                            minus         ? MOVED_BY("$1", "$2", "-", "+")
                            : moment == 0 ? MOVED_BY("$1", "$2", "+", "-")
                                          : MOVED_BY("$2", "$1", "+", "-"));
        return;
    }
    const struct sql_value *by = &interval->value;
    struct move move = {by->months, by->days, by->whole};
    if (minus && by->whole != INT64_MIN)
        move = (struct move){-move.months, -move.days, -move.microseconds};
    if (by->null || !is_possible(&move)) {
        buffer_text(printer->buffer, "CAST(NULL AS TIMESTAMP)");
        return;
    }
    struct buffer form;
    buffer_init(&form, 1 << 14);
    write_form(&form, moment == 0 ? "$1" : "$2", &move);
    if (form.failed)
        printer->buffer->failed = true;
    else
        postgres_print_form(printer, call, form.data);
    buffer_free(&form);
}
