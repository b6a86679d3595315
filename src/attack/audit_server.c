/* What can be seen of a server whose data one cannot exchange.
 *
 * Each question is asked twice, at prices that differ by a millionth: two draws about one truth, so that their difference has a known law
 * whatever the truth is. All numbers lie on the stated grid; the same question at the same price gets the same rows for nothing;
 * what is left of the budget goes down by the price and by nothing else, and in the end refuses. The questions are made from what the
 * catalogue tells every client: names and types. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/audit_link.h"
#include "base/memory.h"

enum {
    MOST_QUESTIONS = 40,
    MOST_TEXT = 400,
    MOST_NUMBERS = 200000,
    MOST_TENTHS = 12,
};

struct visit {
    struct audit_run *run;
    struct audit_link link;
    char questions[MOST_QUESTIONS][MOST_TEXT];
    size_t question_count;
    bool rho;
    uint64_t share_of; /* of what is left at first, an answer costs one part in so many */
    struct decimal first;
    double *differences;
};

/* ---- Questions ---- */

static void add_question(struct visit *visit, const char *table, const char *column, const char *type)
{
    struct buffer text;
    bool number = strcmp(type, "bigint") == 0 || strcmp(type, "double precision") == 0 ||
                  strncmp(type, "numeric", 7) == 0;
    bool key = strcmp(type, "bigint") == 0 || strcmp(type, "text") == 0 || strcmp(type, "boolean") == 0 ||
               strcmp(type, "date") == 0;
    for (int kind = 0; kind < 2 && visit->question_count < MOST_QUESTIONS; kind++) {
        if (!(kind == 0 ? key : number))
            continue;
        buffer_init(&text, MOST_TEXT - 1);
        buffer_text(&text, kind == 0 ? "SELECT " : "SELECT sum(");
        audit_print_name(&text, column);
        buffer_text(&text, kind == 0 ? ", count(*) FROM " : ") FROM ");
        audit_print_name(&text, table);
        if (kind == 0) {
            buffer_text(&text, " GROUP BY ");
            audit_print_name(&text, column);
        }
        if (!text.failed)
            memcpy(visit->questions[visit->question_count++], text.data, text.length + 1);
        buffer_free(&text);
    }
}

static status list_questions(struct visit *visit, error *why)
{
    PGresult *rows = NULL;
    char state[6];
    TRY(audit_link_ask(
        &visit->link,
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_class c "
        "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid "
        "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'public' AND a.attnum > 0 ORDER BY c.relname, a.attnum",
        &rows, state, why));
    for (int i = 0; rows != NULL && i < PQntuples(rows); i++)
        add_question(visit, PQgetvalue(rows, i, 0), PQgetvalue(rows, i, 1), PQgetvalue(rows, i, 2));
    PQclear(rows);
    if (visit->question_count == 0)
        return fail(why, DITHER_INVALID, "the server shows no table that could be asked about");
    return DITHER_OK;
}

/* Nothing is asked of real data. Keeps the questions that are answered, with public keys and stated noise. */
static status keep_answered(struct visit *visit, error *why)
{
    size_t kept = 0;
    for (size_t i = 0; i < visit->question_count; i++) {
        struct audit_stated stated;
        TRY(audit_link_explain(&visit->link, visit->questions[i], &stated, why));
        if (stated.answers && !stated.synthetic)
            return fail(why, DITHER_REFUSED,
                        "the server's policy does not say `synthetic: true`: real data are not audited, "
                        "since an audit spends "
                        "the budget; audit the policy instead");
        if (!stated.answers || stated.hidden || isnan(audit_law_cumulative(stated.noise.mechanism, 1, 0)))
            continue;
        if (kept != i)
            memcpy(visit->questions[kept], visit->questions[i], MOST_TEXT);
        kept++;
    }
    visit->question_count = kept;
    return kept > 0 ? DITHER_OK
                    : fail(why, DITHER_INVALID, "the server answers none of the auditor's questions");
}

/* ---- Answers ---- */

static void expect(struct visit *visit, const char *question, bool kept, const char *broken)
{
    audit_tested(visit->run, AUDIT_BUDGET);
    if (!kept)
        audit_convict(visit->run, AUDIT_BUDGET, question, "%s", broken);
}

/* One part of the budget, and a millionth more of it for each `step`. */
static void print_amount(const struct visit *visit, unsigned step, char out[DECIMAL_TEXT])
{
    struct decimal part = decimal_share(visit->first, 1, visit->share_of),
                   more = decimal_share(part, step, 1000000), sum;
    decimal_print(decimal_add(part, more, &sum) ? sum : part, out);
}

/* Asks, and looks at what it cost. NULL rows: refused. */
static status ask(struct visit *visit, const char *question, const char *amount, bool again, PGresult **out,
                  error *why)
{
    struct decimal before, after, price;
    char state[6];
    TRY(audit_link_amount(&visit->link, visit->rho, amount, why));
    TRY(audit_link_left(&visit->link, &visit->rho, &before, why));
    visit->run->report->answers++;
    TRY(audit_link_ask(&visit->link, question, out, state, why));
    status result = audit_link_left(&visit->link, &visit->rho, &after, why);
    if (result == DITHER_OK)
        result = decimal_parse(amount, &price, why);
    if (result != DITHER_OK) {
        PQclear(*out);
        return result;
    }
    bool free_of_charge = again || *out == NULL;
    expect(visit, question,
           decimal_compare(decimal_subtract(before, after), free_of_charge ? decimal_zero() : price) == 0,
           again          ? "the same question at the same price is charged again"
           : *out == NULL ? "a refused question is charged"
                          : "what is left does not go down by the price");
    return DITHER_OK;
}

static bool same_rows(const PGresult *a, const PGresult *b)
{
    if (PQntuples(a) != PQntuples(b) || PQnfields(a) != PQnfields(b))
        return false;
    for (int row = 0; row < PQntuples(a); row++)
        for (int column = 0; column < PQnfields(a); column++)
            if (PQgetisnull(a, row, column) != PQgetisnull(b, row, column) ||
                strcmp(PQgetvalue(a, row, column), PQgetvalue(b, row, column)) != 0)
                return false;
    return true;
}

static double number_at(const PGresult *rows, int row)
{
    double number = NAN;
    return sscanf(PQgetvalue(rows, row, PQnfields(rows) - 1), "%lf", &number) == 1 ? number : NAN;
}

static void look_at_grid(struct visit *visit, const char *question, const PGresult *rows, double grid)
{
    int exponent = 0;
    double tolerance = frexp(grid, &exponent) == 0.5 ? 0 : 1e-6; /* decimals have grids of tenths */
    for (int i = 0; i < PQntuples(rows); i++) {
        double steps = number_at(rows, i) / grid;
        audit_tested(visit->run, AUDIT_GRID);
        if (fabs(steps - rint(steps)) <= tolerance)
            continue;
        audit_convict(visit->run, AUDIT_GRID, question, "%s is not on the grid of %.12g",
                      PQgetvalue(rows, i, PQnfields(rows) - 1), grid);
        return;
    }
}

/* ---- Two draws about one truth ---- */

static void compare(struct visit *visit, const char *question, const struct audit_stated *stated,
                    const PGresult *first, const PGresult *second)
{
    const struct audit_column *noise = &stated->noise;
    struct audit_pairs pairs = audit_pairs_of(noise->mechanism, noise->scale / noise->grid);
    size_t count = 0;
    look_at_grid(visit, question, first, noise->grid);
    look_at_grid(visit, question, second, noise->grid);
    for (int i = 0; i < PQntuples(first) && i < PQntuples(second) && count < MOST_NUMBERS; i++) {
        double difference = rint((number_at(first, i) - number_at(second, i)) / noise->grid);
        if (!isnan(difference))
            visit->differences[count++] = difference;
        pairs.sizes++;
        pairs.equal += difference == 0;
    }
    audit_fit(
        visit->run, AUDIT_SHAPE, question, "the difference of two answers against its law",
        audit_law_fit_differences(noise->mechanism, noise->scale / noise->grid, visit->differences, count));
    if (count >= 20)
        audit_fit(visit->run, AUDIT_SHAPE, question, "equal noise in two answers",
                  audit_binomial_at_least(pairs.sizes, pairs.equal_probability, pairs.equal));
}

static status look_at(struct visit *visit, const char *question, error *why)
{
    PGresult *first = NULL, *second = NULL, *again = NULL;
    struct audit_stated stated;
    char amount[DECIMAL_TEXT], other[DECIMAL_TEXT];
    print_amount(visit, 0, amount);
    print_amount(visit, 1, other);
    TRY(audit_link_amount(&visit->link, visit->rho, amount, why));
    TRY(audit_link_explain(&visit->link, question, &stated, why));
    status result = ask(visit, question, amount, false, &first, why);
    if (result == DITHER_OK)
        result = ask(visit, question, other, false, &second, why);
    if (result == DITHER_OK && first != NULL)
        result = ask(visit, question, amount, true, &again, why);
    if (result == DITHER_OK && first != NULL && again != NULL)
        expect(visit, question, same_rows(first, again),
               "the same question at the same price gets other rows");
    if (result == DITHER_OK && first != NULL && second != NULL && stated.noise.grid > 0)
        compare(visit, question, &stated, first, second);
    PQclear(first);
    PQclear(second);
    PQclear(again);
    return result;
}

/* More than there is must be refused. */
static status drain(struct visit *visit, error *why)
{
    struct decimal left, more;
    char amount[DECIMAL_TEXT];
    PGresult *rows = NULL;
    TRY(audit_link_left(&visit->link, &visit->rho, &left, why));
    if (!decimal_add(left, left, &more))
        more = left;
    decimal_print(more, amount);
    if (decimal_is_zero(left))
        return DITHER_OK;
    TRY(ask(visit, visit->questions[0], amount, false, &rows, why));
    expect(visit, visit->questions[0], rows == NULL, "twice what is left of the budget was granted");
    PQclear(rows);
    return DITHER_OK;
}

/* A question may be limited to less than its share: a tenth, then, and a tenth of that. */
static status find_share(struct visit *visit, error *why)
{
    bool granted = false;
    visit->share_of = 3 * (uint64_t)visit->question_count + 3;
    for (int i = 0; i < MOST_TENTHS && !granted; i++) {
        PGresult *rows = NULL;
        char amount[DECIMAL_TEXT];
        visit->share_of *= i > 0 ? 10 : 1;
        print_amount(visit, 2, amount);
        TRY(ask(visit, visit->questions[0], amount, false, &rows, why));
        granted = rows != NULL;
        PQclear(rows);
    }
    return granted ? DITHER_OK : fail(why, DITHER_REFUSED, "the server refuses all that the auditor asks");
}

static status visit_server(struct visit *visit, error *why)
{
    TRY(list_questions(visit, why));
    TRY(keep_answered(visit, why));
    TRY(audit_link_left(&visit->link, &visit->rho, &visit->first, why));
    TRY(find_share(visit, why));
    for (size_t i = 0; i < visit->question_count; i++) {
        if (visit->run->options->stop != NULL && *visit->run->options->stop != 0)
            return fail(why, DITHER_REFUSED, "interrupted");
        audit_tell(visit->run, "server: question %zu of %zu", i + 1, visit->question_count);
        TRY(look_at(visit, visit->questions[i], why));
    }
    return drain(visit, why);
}

status audit_server(struct audit_run *run, error *why)
{
    static const enum audit_check blind[] = {AUDIT_SENSITIVITY, AUDIT_GUESSES, AUDIT_EVENTS, AUDIT_KEYS,
                                             AUDIT_FAILING};
    struct visit *visit = memory_allocate(sizeof *visit);
    double *differences = memory_allocate(MOST_NUMBERS * sizeof *differences);
    status result =
        visit != NULL && differences != NULL ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof blind / sizeof blind[0]; i++)
        run->report->skipped[blind[i]] = "a server's data cannot be exchanged: audit the policy";
    if (result == DITHER_OK) {
        visit->run = run;
        visit->differences = differences;
        result = audit_link_open(run->options->server, &visit->link, why);
    }
    if (result == DITHER_OK) {
        result = visit_server(visit, why);
        audit_link_close(&visit->link);
    }
    memory_release(visit, sizeof *visit);
    memory_release(differences, MOST_NUMBERS * sizeof *differences);
    return result;
}
