/* The public face of the room: the client of a survey, as dither.h has it. Nothing here allocates. */
#include <math.h>
#include <string.h>

#include "local/numeric.h"
#include "local/period.h"
#include "local/person_file.h"
#include "local/survey_report.h"

/* What dither_local_client's words are. */
struct client {
    uint64_t mark; /* CLIENT_MARK: somebody called dither_local_init */
    uint64_t key;
    enum period_kind period;
    bool number;
    union {
        struct local_oracle oracle;
        struct local_numeric numeric;
    };
};

#define CLIENT_MARK UINT64_C(0x6469746865722031)

_Static_assert(sizeof(struct client) <= sizeof(dither_local_client), "a client fits");
_Static_assert((int)DITHER_LOCAL_YEARLY == (int)PERIOD_YEARLY && (int)DITHER_LOCAL_ONCE == (int)PERIOD_ONCE,
               "periods have one order");

static const struct client *client_of(const dither_local_client *words)
{
    return (const struct client *)(const void *)words;
}

static status refuse_foreign(bool foreign, const char *mechanism, error *why)
{
    return foreign ? fail(why, DITHER_INVALID, "mechanism %s does not know all that is set", mechanism)
                   : DITHER_OK;
}

static status make_number(const struct local_numeric_kind *kind, const dither_local_question *question,
                          struct client *client, error *why)
{
    const struct local_numeric_setting setting = {question->lower, question->upper, question->epsilon,
                                                  question->steps};
    client->number = true;
    TRY(refuse_foreign(question->domain != 0 || question->hashes != 0 || question->width != 0 ||
                           question->bits != 0 || question->seed != 0,
                       kind->name, why));
    return local_numeric_init(&client->numeric, kind, &setting, why);
}

static status make_values(const struct local_oracle_kind *kind, const dither_local_question *question,
                          struct client *client, error *why)
{
    const struct local_setting setting = {
        .domain = question->domain,
        .epsilon = question->epsilon,
        .hashes = question->hashes,
        .width = question->width,
        .bits = question->bits,
        .seed = question->seed,
    };
    TRY(refuse_foreign(question->lower != 0 || question->upper != 0 || question->steps != 0, kind->name,
                       why));
    return local_oracle_init(&client->oracle, kind, &setting, why);
}

dither_status dither_local_init(dither_local_client *client, const dither_local_question *question,
                                dither_error *why)
{
    if (client == NULL || question == NULL || question->mechanism == NULL)
        return fail(why, DITHER_INVALID, "there is no question, or it has no mechanism");
    const struct local_oracle_kind *oracle = local_oracle_kind_named(question->mechanism);
    const struct local_numeric_kind *numeric = local_numeric_kind_named(question->mechanism);
    struct client made = {.mark = CLIENT_MARK, .key = question->key};
    if (oracle == NULL && numeric == NULL)
        return fail(why, DITHER_INVALID, "there is no local mechanism \"%.40s\"", question->mechanism);
    if ((unsigned)question->period >= PERIOD_KINDS)
        return fail(why, DITHER_INVALID, "there is no such period");
    made.period = (enum period_kind)question->period;
    TRY(numeric != NULL ? make_number(numeric, question, &made, why)
                        : make_values(oracle, question, &made, why));
    memset(client, 0, sizeof *client);
    memcpy(client, &made, sizeof made);
    return DITHER_OK;
}

size_t dither_local_report_size(const dither_local_client *words)
{
    const struct client *client = client_of(words);
    if (client == NULL || client->mark != CLIENT_MARK)
        return 0;
    return REPORT_HEAD + (client->number ? client->numeric.report_bytes : client->oracle.report_bytes);
}

/* Spending is rounded up. NaN in an account lets nothing through. */
static status pay(const struct client *client, dither_local_account *account, error *why)
{
    double epsilon = client->number ? client->numeric.setting.epsilon : client->oracle.setting.epsilon;
    double spent = person_sum(account->spent, epsilon);
    if (!(account->spent >= 0 && spent <= account->cap))
        return fail(why, DITHER_REFUSED,
                    "this report costs %g, and with what was spent it would pass the lifetime cap of %g",
                    epsilon, account->cap);
    account->spent = spent;
    return DITHER_OK;
}

static status begin(const struct client *client, int64_t seconds, dither_local_account *account,
                    struct random *random, unsigned char *report, error *why)
{
    struct report_head head = {.key = client->key, .period = period_at(client->period, seconds)};
    TRY(pay(client, account, why));
    TRY(random_word(random, &head.id, why));
    report_head_write(&head, report);
    return DITHER_OK;
}

static status check(const struct client *client, bool number, const dither_local_account *account,
                    const dither_random *random, const unsigned char *report, error *why)
{
    if (client == NULL || client->mark != CLIENT_MARK || account == NULL || random == NULL || report == NULL)
        return fail(why, DITHER_INVALID, "a report needs a client, an account, random bits and room");
    if (client->number != number)
        return fail(why, DITHER_INVALID, "this question is about %s", number ? "values" : "numbers");
    return DITHER_OK;
}

dither_status dither_local_report(const dither_local_client *words, uint32_t value, int64_t seconds,
                                  dither_local_account *account, dither_random *random, unsigned char *report,
                                  dither_error *why)
{
    const struct client *client = client_of(words);
    TRY(check(client, false, account, random, report, why));
    if (value >= client->oracle.setting.domain)
        return fail(why, DITHER_INVALID, "a value must be below %u", client->oracle.setting.domain);
    status result = begin(client, seconds, account, (struct random *)random, report, why);
    if (result == DITHER_OK)
        result = local_oracle_randomise(&client->oracle, value, (struct random *)random, report + REPORT_HEAD,
                                        why);
    if (result != DITHER_OK)
        explicit_bzero(report, dither_local_report_size(words));
    return result;
}

dither_status dither_local_report_number(const dither_local_client *words, double number, int64_t seconds,
                                         dither_local_account *account, dither_random *random,
                                         unsigned char *report, dither_error *why)
{
    const struct client *client = client_of(words);
    TRY(check(client, true, account, random, report, why));
    status result = begin(client, seconds, account, (struct random *)random, report, why);
    if (result == DITHER_OK)
        result = local_numeric_randomise(&client->numeric, number, (struct random *)random,
                                         report + REPORT_HEAD, why);
    if (result != DITHER_OK)
        explicit_bzero(report, dither_local_report_size(words));
    return result;
}
