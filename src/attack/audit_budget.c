/* Does the ledger agree with what was said and given?
 *
 * Two analysts with caps, one of them in a group, and the owner, under a small budget: charges are what the answers say, all of them
 * add up in the total, the same question again gives the same bytes for nothing (also after a restart), another analyst pays for
 * himself and is not told that somebody asked before, request ids belong to one question of one analyst, and at the end, when
 * the budget is drained, nothing new is answered and nothing old is lost. Amounts are exact decimals, and are compared exactly. */
#include <stdio.h>
#include <string.h>

#include "attack/audit_parts.h"

enum { PEOPLE = 50, MOST_DRAINED = 60 };

static const char people[] = "groups:\n"
                             "  pair: {%s: 1}\n"
                             "analysts:\n"
                             "  alice: {%s: 2}\n"
                             "  bob: {%s: 2, groups: [pair]}\n";

struct till {
    struct audit_run *run;
    struct audit_world world;
    const char *sql, *other_sql; /* two questions */
};

/* ---- What is left ---- */

static struct decimal amount_of(const struct till *till, struct ledger_cost cost)
{
    return till->world.currency == LEDGER_CONCENTRATED ? cost.rho : cost.epsilon;
}

static status left_of(struct till *till, const char *analyst, struct decimal *out, error *why)
{
    struct ledger_cost left;
    TRY(curator_remaining(till->world.curator, analyst, &left, why));
    *out = amount_of(till, left);
    return DITHER_OK;
}

static bool same(struct decimal a, struct decimal b)
{
    return decimal_compare(a, b) == 0;
}

static void expect(struct till *till, bool kept, const char *broken)
{
    audit_tested(till->run, AUDIT_BUDGET);
    if (!kept)
        audit_convict(till->run, AUDIT_BUDGET, NULL, "%s", broken);
}

/* ---- One asking, with what it changed ---- */

struct paid {
    struct audit_answer answer;
    struct decimal total; /* that left the dataset's budget */
    struct decimal own;   /* that left the asker's */
    struct decimal said;  /* that the answer says it cost */
};

static status ask(struct till *till, const char *sql, const char *analyst, const char *amount,
                  const char *request, struct paid *out, error *why)
{
    struct decimal total, own, total_after, own_after;
    struct audit_settings settings = {.analyst = analyst, .amount = amount, .request = request};
    TRY(left_of(till, NULL, &total, why));
    TRY(left_of(till, analyst, &own, why));
    TRY(audit_run_ask(till->run, &till->world, sql, &settings, &out->answer, why));
    TRY(left_of(till, NULL, &total_after, why));
    TRY(left_of(till, analyst, &own_after, why));
    out->total = decimal_subtract(total, total_after);
    out->own = decimal_subtract(own, own_after);
    out->said = out->answer.result == DITHER_OK ? amount_of(till, out->answer.cost) : decimal_zero();
    if (decimal_compare(total_after, total) > 0 || decimal_compare(own_after, own) > 0)
        audit_convict(till->run, AUDIT_BUDGET, sql, "a question gave budget back");
    return DITHER_OK;
}

/* Asks again, and expects what `first` got, for nothing. */
static status expect_again(struct till *till, const struct paid *first, const char *sql, const char *analyst,
                           const char *amount, const char *request, const char *when, error *why)
{
    struct paid again;
    char broken[160];
    TRY(ask(till, sql, analyst, amount, request, &again, why));
    snprintf(broken, sizeof broken, "the same question %s gets another answer", when);
    expect(till, audit_answer_same(&first->answer, &again.answer), broken);
    snprintf(broken, sizeof broken, "the same question %s is charged again", when);
    expect(till, decimal_is_zero(again.total) && decimal_is_zero(again.own), broken);
    audit_answer_free(&again.answer);
    return DITHER_OK;
}

static status expect_refused(struct till *till, const char *sql, const char *analyst, const char *amount,
                             const char *request, const char *broken, error *why)
{
    struct paid tried;
    TRY(ask(till, sql, analyst, amount, request, &tried, why));
    expect(till, tried.answer.result == DITHER_REFUSED && decimal_is_zero(tried.total), broken);
    audit_answer_free(&tried.answer);
    return DITHER_OK;
}

/* ---- The story ---- */

static status alice_asks(struct till *till, struct paid *first, error *why)
{
    struct decimal half;
    struct paid dearer;
    TRY(decimal_parse("0.5", &half, why));
    TRY(ask(till, till->sql, "alice", "0.5", NULL, first, why));
    expect(till, first->answer.result == DITHER_OK, "a question within the budget is not answered");
    expect(till, same(first->said, half), "an answer says another cost than was asked for");
    expect(till, same(first->own, half), "the asker's cap is not charged what the answer says");
    expect(till, same(first->total, half), "the dataset's budget is not charged what the answer says");
    TRY(expect_again(till, first, till->sql, "alice", "0.5", NULL, "again", why));
    TRY(audit_world_reopen(&till->world, why));
    TRY(expect_again(till, first, till->sql, "alice", "0.5", NULL, "after a restart", why));
    TRY(ask(till, till->sql, "alice", "0.6", NULL, &dearer, why));
    expect(till, !decimal_is_zero(dearer.total) && same(dearer.total, dearer.said),
           "the same question at another price is not charged");
    audit_answer_free(&dearer.answer);
    return DITHER_OK;
}

static status bob_asks(struct till *till, const struct paid *first, error *why)
{
    struct paid seen, named;
    TRY(ask(till, till->sql, "bob", "0.5", NULL, &seen, why));
    expect(till, audit_answer_same(&first->answer, &seen.answer),
           "two analysts get two draws of one release");
    expect(till, !decimal_is_zero(seen.own), "an analyst is not charged for what another one asked before");
    expect(till, !seen.answer.cached && same(seen.said, seen.own),
           "an answer tells that somebody else asked before");
    audit_answer_free(&seen.answer);
    TRY(ask(till, till->other_sql, "bob", "0.3", "audit-1", &named, why));
    TRY(expect_again(till, &named, till->other_sql, "bob", "0.3", "audit-1", "under its request id", why));
    TRY(audit_world_reopen(&till->world, why));
    TRY(expect_again(till, &named, till->other_sql, "bob", "0.3", "audit-1",
                     "under its request id after a restart", why));
    audit_answer_free(&named.answer);
    TRY(expect_refused(till, till->other_sql, "alice", "0.3", "audit-1",
                       "another analyst may use a request id", why));
    TRY(expect_refused(till, till->sql, "bob", "0.3", "audit-1",
                       "a request id may be used for another question", why));
    return expect_refused(till, till->other_sql, "bob", "0.9", NULL, "a group's cap does not hold", why);
}

/* Until the budget refuses: it never goes below nothing, and charges add up to what has gone. */
static status drain(struct till *till, error *why)
{
    struct decimal before, after, sum = decimal_zero();
    bool refused = false;
    size_t count = 0;
    TRY(left_of(till, NULL, &before, why));
    for (; count < MOST_DRAINED && !refused; count++) {
        char amount[40];
        struct paid paid;
        snprintf(amount, sizeof amount, "0.2%09zu", count);
        TRY(ask(till, till->sql, NULL, amount, NULL, &paid, why));
        refused = paid.answer.result == DITHER_REFUSED;
        expect(till, same(paid.total, paid.said), "a charge is not what the answer says");
        if (!decimal_add(sum, paid.said, &sum))
            return fail(why, DITHER_INVALID, "too large a sum");
        audit_answer_free(&paid.answer);
    }
    TRY(left_of(till, NULL, &after, why));
    expect(till, refused, "the budget never ends");
    expect(till, decimal_compare(sum, before) <= 0, "more was spent than there was");
    expect(till, same(decimal_subtract(before, sum), after),
           "what is left is not the budget minus the charges");
    TRY(audit_world_reopen(&till->world, why));
    TRY(left_of(till, NULL, &before, why));
    expect(till, same(before, after), "a restart changes what is left");
    return DITHER_OK;
}

static status tell_story(struct till *till, error *why)
{
    struct paid first = {.total = decimal_zero()};
    status result = alice_asks(till, &first, why);
    if (result == DITHER_OK)
        result = bob_asks(till, &first, why);
    if (result == DITHER_OK)
        result = expect_refused(till, till->other_sql, "alice", "1.9", NULL, "an analyst's cap does not hold",
                                why);
    if (result == DITHER_OK)
        result = drain(till, why);
    if (result == DITHER_OK)
        result = expect_again(till, &first, till->sql, "alice", "0.5", NULL, "when the budget is empty", why);
    audit_answer_free(&first.answer);
    return result;
}

/* ---- The world ---- */

static const struct policy_table *first_private(const struct audit_run *run)
{
    return audit_kind(run, 0);
}

static status open_till(struct till *till, error *why)
{
    struct audit_run *run = till->run;
    struct audit_data data;
    char budget[200], who[300];
    const char *currency = run->policy->budget.currency == LEDGER_CONCENTRATED ? "rho" : "epsilon";
    bool delta = !decimal_is_zero(run->policy->budget.total.delta);
    snprintf(budget, sizeof budget, "  %s: 5\n  per_question: 0.5\n%s", currency,
             delta ? "  delta: 1e-6\n  delta_per_question: 1e-9\n" : "");
    snprintf(who, sizeof who, people, currency, currency, currency);
    struct audit_world_options options = audit_run_world(run);
    options.budget = budget;
    options.people = who;
    TRY(audit_data_open(run->policy, run->options->seed, &data, why));
    audit_data_public(&data);
    audit_quiet_people(run, &data, PEOPLE);
    status result = audit_world_open(&data, &options, &till->world, why);
    audit_data_close(&data);
    return result;
}

status audit_budget(struct audit_run *run, error *why)
{
    struct till till = {.run = run};
    struct buffer sql, other;
    audit_tell(run, "budget");
    buffer_init(&sql, 1 << 12);
    buffer_init(&other, 1 << 12);
    buffer_text(&sql, "SELECT count(*) FROM ");
    audit_print_name(&sql, first_private(run)->name);
    buffer_text(&other, "SELECT count(*) * 2 FROM ");
    audit_print_name(&other, first_private(run)->name);
    till.sql = sql.data;
    till.other_sql = other.data;
    status result = buffer_check(&sql, why) == DITHER_OK ? buffer_check(&other, why) : DITHER_NO_MEMORY;
    if (result == DITHER_OK)
        result = open_till(&till, why);
    if (result == DITHER_OK) {
        result = tell_story(&till, why);
        if (result == DITHER_IO) { /* nothing outside has failed */
            audit_convict(run, AUDIT_BUDGET, NULL, "the ledger fails by itself: %.300s", why->message);
            result = DITHER_OK;
        }
        audit_world_close(&till.world);
    }
    buffer_free(&sql);
    buffer_free(&other);
    return result;
}
