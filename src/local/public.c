/* The public face of the room: the client of a survey, as dither.h has it. Nothing here allocates. */
#include <math.h>
#include <string.h>

#include "local/person_file.h"
#include "local/public_parts.h"
#include "local/several.h"
#include "local/survey_report.h"

_Static_assert(sizeof(struct client) <= sizeof(dither_local_client), "a client fits");
_Static_assert((int)DITHER_LOCAL_YEARLY == (int)PERIOD_YEARLY && (int)DITHER_LOCAL_ONCE == (int)PERIOD_ONCE,
               "periods have one order");

enum { DEFAULT_LENGTH = 16 };

static const struct client *client_of(const dither_local_client *words)
{
    return (const struct client *)(const void *)words;
}

/* ---- A question made ready ---- */

/* What is set, in groups that a mechanism knows or not. */
enum { DOMAIN = 1, SKETCH = 2, BITS = 4, RANGE = 8, ITEMS = 16, TEXT = 32, PERMANENT = 64 };

static unsigned groups_of(const dither_local_question *question)
{
    unsigned groups = 0;
    groups |= question->domain != 0 ? DOMAIN : 0;
    groups |= question->hashes != 0 || question->width != 0 || question->seed != 0 ? SKETCH : 0;
    groups |= question->bits != 0 ? BITS : 0;
    groups |= question->lower != 0 || question->upper != 0 || question->steps != 0 ? RANGE : 0;
    groups |= question->items != 0 ? ITEMS : 0;
    groups |= question->length != 0 || question->group_bits != 0 ? TEXT : 0;
    groups |= question->permanent != 0 ? PERMANENT : 0;
    return groups;
}

/* Which of the options of values a mechanism has use for, it says itself. */
static const unsigned known[] = {
    [CLIENT_VALUES] = DOMAIN | SKETCH | BITS,
    [CLIENT_NUMBERS] = RANGE,
    [CLIENT_SETS] = DOMAIN | SKETCH | BITS | ITEMS,
    [CLIENT_TEXTS] = TEXT,
    [CLIENT_AGAIN] = DOMAIN | SKETCH | BITS | PERMANENT,
};

static status find_kind(const dither_local_question *question, enum client_kind *out, error *why)
{
    const char *name = question->mechanism;
    const struct local_oracle_kind *oracle = local_oracle_kind_named(name);
    if (local_lasting_kind_named(name) != NULL && (oracle == NULL || question->permanent != 0))
        *out = CLIENT_AGAIN;
    else if (oracle != NULL)
        *out = question->items != 0 ? CLIENT_SETS : CLIENT_VALUES;
    else if (local_numeric_kind_named(name) != NULL)
        *out = CLIENT_NUMBERS;
    else if (strcmp(name, "prefix") == 0)
        *out = CLIENT_TEXTS;
    else
        return fail(why, DITHER_INVALID, "there is no local mechanism \"%.40s\"", name);
    if ((groups_of(question) & ~known[*out]) != 0)
        return fail(why, DITHER_INVALID, "mechanism %s does not know all that is set", name);
    return DITHER_OK;
}

static status make_again(const dither_local_question *question, struct client *client, error *why)
{
    const struct local_lasting_setting setting = {
        .domain = question->domain,
        .epsilon = question->epsilon,
        .permanent = question->permanent,
        .bits = question->bits,
        .hashes = question->hashes,
        .width = question->width,
        .seed = question->seed,
    };
    return local_lasting_init(&client->lasting, local_lasting_kind_named(question->mechanism), &setting, why);
}

static status make(const dither_local_question *question, struct client *client, error *why)
{
    const struct local_oracle_kind *kind = local_oracle_kind_named(question->mechanism);
    const struct local_setting values = {
        .domain = question->domain,
        .epsilon = question->epsilon,
        .hashes = question->hashes,
        .width = question->width,
        .bits = question->bits,
        .seed = question->seed,
    };
    const struct local_numeric_setting numbers = {question->lower, question->upper, question->epsilon,
                                                  question->steps};
    const struct prefix_setting texts = {
        question->epsilon, question->length != 0 ? question->length : DEFAULT_LENGTH, question->group_bits};
    switch (client->kind) {
    case CLIENT_NUMBERS:
        return local_numeric_init(&client->numeric, local_numeric_kind_named(question->mechanism), &numbers,
                                  why);
    case CLIENT_SETS:
        return local_set_init(&client->set, kind, &values, question->items, why);
    case CLIENT_TEXTS:
        return prefix_init(&client->prefix, &texts, why);
    case CLIENT_AGAIN:
        return make_again(question, client, why);
    case CLIENT_VALUES:
        break;
    }
    return local_oracle_init(&client->oracle, kind, &values, why);
}

dither_status dither_local_init(dither_local_client *client, const dither_local_question *question,
                                dither_error *why)
{
    if (client == NULL || question == NULL || question->mechanism == NULL)
        return fail(why, DITHER_INVALID, "there is no question, or it has no mechanism");
    struct client made = {.mark = CLIENT_MARK, .key = question->key};
    if ((unsigned)question->period >= PERIOD_KINDS)
        return fail(why, DITHER_INVALID, "there is no such period");
    made.period = (enum period_kind)question->period;
    TRY(find_kind(question, &made.kind, why));
    TRY(make(question, &made, why));
    memset(client, 0, sizeof *client);
    memcpy(client, &made, sizeof made);
    return DITHER_OK;
}

/* ---- Reports ---- */

static size_t report_bytes(const struct client *client)
{
    switch (client->kind) {
    case CLIENT_NUMBERS:
        return client->numeric.report_bytes;
    case CLIENT_SETS:
        return client->set.oracle.report_bytes;
    case CLIENT_TEXTS:
        return client->prefix.report_bytes;
    case CLIENT_AGAIN:
        return client->lasting.oracle.report_bytes;
    case CLIENT_VALUES:
        break;
    }
    return client->oracle.report_bytes;
}

size_t dither_local_report_size(const dither_local_client *words)
{
    const struct client *client = client_of(words);
    return client != NULL && client->mark == CLIENT_MARK ? REPORT_HEAD + report_bytes(client) : 0;
}

/* Of one fresh report. */
static double epsilon_of(const struct client *client)
{
    switch (client->kind) {
    case CLIENT_NUMBERS:
        return client->numeric.setting.epsilon;
    case CLIENT_SETS:
        return client->set.oracle.setting.epsilon;
    case CLIENT_TEXTS:
        return client->prefix.setting.epsilon;
    case CLIENT_AGAIN:
    case CLIENT_VALUES:
        break;
    }
    return client->oracle.setting.epsilon;
}

/* Spending is rounded up. NaN in an account lets nothing through. */
status asking_price(const dither_local_account *account, double epsilon, double *out, error *why)
{
    double spent = person_sum(account->spent, epsilon);
    if (!(account->spent >= 0 && spent <= account->cap))
        return fail(why, DITHER_REFUSED,
                    "this report costs %g, and with what was spent it would pass the lifetime cap of %g",
                    epsilon, account->cap);
    *out = spent;
    return DITHER_OK;
}

status asking_head(const struct asking *asking, error *why)
{
    const struct client *client = asking->client;
    struct random *random = asking->random;
    struct report_head head = {.key = client->key, .period = period_at(client->period, asking->seconds)};
    TRY(random_word(random, &head.id, why));
    report_head_write(&head, asking->report);
    return DITHER_OK;
}

status asking_check(const struct asking *asking, error *why)
{
    static const char *const kinds[] = {
        [CLIENT_VALUES] = "a value",
        [CLIENT_NUMBERS] = "a number",
        [CLIENT_SETS] = "a set",
        [CLIENT_TEXTS] = "a text",
        [CLIENT_AGAIN] = "a value, again and again",
    };
    const struct client *client = asking->client;
    if (client == NULL || client->mark != CLIENT_MARK || asking->account == NULL || asking->random == NULL ||
        asking->report == NULL)
        return fail(why, DITHER_INVALID, "a report needs a client, an account, random bits and room");
    if (client->kind != asking->kind)
        return fail(why, DITHER_INVALID, "this question is about %s, not %s", kinds[client->kind],
                    kinds[asking->kind]);
    return DITHER_OK;
}

/* Pays, and writes the head. */
static status begin(const struct asking *asking, error *why)
{
    double spent = 0;
    TRY(asking_price(asking->account, epsilon_of(asking->client), &spent, why));
    asking->account->spent = spent;
    return asking_head(asking, why);
}

/* What is left when the mechanism has made its part, or has not. */
static status end(const struct asking *asking, status result)
{
    if (result != DITHER_OK)
        explicit_bzero(asking->report, REPORT_HEAD + report_bytes(asking->client));
    return result;
}

dither_status dither_local_report(const dither_local_client *words, uint32_t value, int64_t seconds,
                                  dither_local_account *account, dither_random *random, unsigned char *report,
                                  dither_error *why)
{
    const struct asking asking = {client_of(words), CLIENT_VALUES,           seconds,
                                  account,          (struct random *)random, report};
    TRY(asking_check(&asking, why));
    const struct local_oracle *oracle = &asking.client->oracle;
    if (value >= oracle->setting.domain)
        return end(&asking, fail(why, DITHER_INVALID, "a value must be below %u", oracle->setting.domain));
    status result = begin(&asking, why);
    if (result == DITHER_OK)
        result = local_oracle_randomise(oracle, value, asking.random, report + REPORT_HEAD, why);
    return end(&asking, result);
}

dither_status dither_local_report_number(const dither_local_client *words, double number, int64_t seconds,
                                         dither_local_account *account, dither_random *random,
                                         unsigned char *report, dither_error *why)
{
    const struct asking asking = {client_of(words), CLIENT_NUMBERS,          seconds,
                                  account,          (struct random *)random, report};
    TRY(asking_check(&asking, why));
    status result = begin(&asking, why);
    if (result == DITHER_OK)
        result = local_numeric_randomise(&asking.client->numeric, number, asking.random, report + REPORT_HEAD,
                                         why);
    return end(&asking, result);
}

dither_status dither_local_report_set(const dither_local_client *words, const uint32_t *values, size_t count,
                                      int64_t seconds, dither_local_account *account, dither_random *random,
                                      unsigned char *report, dither_error *why)
{
    const struct asking asking = {client_of(words),        CLIENT_SETS, seconds, account,
                                  (struct random *)random, report};
    TRY(asking_check(&asking, why));
    const struct local_set *set = &asking.client->set;
    if (values == NULL && count > 0)
        return end(&asking, fail(why, DITHER_INVALID, "where are the values?"));
    for (size_t i = 0; i < count; i++)
        if (values[i] >= set->domain)
            return end(&asking, fail(why, DITHER_INVALID, "a value must be below %u", set->domain));
    status result = begin(&asking, why);
    if (result == DITHER_OK)
        result = local_set_randomise(set, values, count, asking.random, report + REPORT_HEAD, why);
    return end(&asking, result);
}

dither_status dither_local_report_text(const dither_local_client *words, const char *text, size_t length,
                                       int64_t seconds, dither_local_account *account, dither_random *random,
                                       unsigned char *report, dither_error *why)
{
    const struct asking asking = {client_of(words),        CLIENT_TEXTS, seconds, account,
                                  (struct random *)random, report};
    TRY(asking_check(&asking, why));
    if (text == NULL)
        return end(&asking, fail(why, DITHER_INVALID, "where is the text?"));
    status result = begin(&asking, why);
    if (result == DITHER_OK)
        result =
            prefix_randomise(&asking.client->prefix, text, length, asking.random, report + REPORT_HEAD, why);
    return end(&asking, result);
}

dither_status dither_local_draw(uint32_t questions, uint32_t asked, dither_random *random, uint32_t *chosen,
                                dither_error *why)
{
    const struct local_several several = {questions, asked, 1};
    if (random == NULL || chosen == NULL)
        return fail(why, DITHER_INVALID, "a draw needs random bits and room");
    TRY(local_several_check(&several, why));
    return local_several_draw(&several, (struct random *)random, chosen, why);
}
