#include "serve/settings.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "sql/text_form.h"

typedef status (*setting_check)(struct settings *settings, const char *value, error *why);

struct setting {
    const char *name, *standard, *about;
    setting_check check; /* also applies it; its message completes "... ". NULL: any text */
    const char *only;    /* the one value that is taken (whatever its case); NULL: any */
    bool fixed;          /* cannot be set at all */
    bool reported;
};

/* ---- Dither's own. An empty value is the default. ---- */

static status read_cost(const char *value, struct decimal *out, error *why)
{
    struct decimal cost = {0};
    if (value[0] != '\0') {
        TRY(decimal_parse(value, &cost, why));
        if (decimal_is_zero(cost))
            return fail(why, DITHER_INVALID, "must be above 0");
    }
    *out = cost;
    return DITHER_OK;
}

static status set_epsilon(struct settings *settings, const char *value, error *why)
{
    return read_cost(value, &settings->options.epsilon, why);
}

static status set_rho(struct settings *settings, const char *value, error *why)
{
    return read_cost(value, &settings->options.rho, why);
}

static status set_delta(struct settings *settings, const char *value, error *why)
{
    struct decimal delta;
    TRY(read_cost(value, &delta, why));
    if (decimal_to_double(delta) >= 1)
        return fail(why, DITHER_INVALID, "must be below 1");
    settings->options.delta = delta;
    return DITHER_OK;
}

static status read_most(const char *value, uint64_t *out, error *why)
{
    uint64_t most = 0;
    if (value[0] != '\0') {
        TRY(number_parse_whole(value, &most, why));
        if (most == 0 || most > POLICY_MOST_ROWS)
            return fail(why, DITHER_INVALID, "must be from 1 to %d", POLICY_MOST_ROWS);
    }
    *out = most;
    return DITHER_OK;
}

static status set_max_groups(struct settings *settings, const char *value, error *why)
{
    return read_most(value, &settings->options.max_groups, why);
}

static status set_max_rows(struct settings *settings, const char *value, error *why)
{
    return read_most(value, &settings->options.max_rows, why);
}

static status set_size(struct settings *settings, const char *value, error *why)
{
    double size = 0;
    if (value[0] != '\0') {
        TRY(number_parse(value, NUMBER_DOWN, &size, why));
        if (size < 1)
            return fail(why, DITHER_INVALID, "must be at least 1");
    }
    settings->size = size;
    return DITHER_OK;
}

static status read_switch(const char *value, bool *out, error *why)
{
    if (strcasecmp(value, "on") == 0 || strcasecmp(value, "off") == 0) {
        *out = strcasecmp(value, "on") == 0;
        return DITHER_OK;
    }
    if (!text_form_read_boolean(value, strlen(value), out))
        return fail(why, DITHER_INVALID, "must be on or off");
    return DITHER_OK;
}

static status set_other(struct settings *settings, const char *value, error *why)
{
    return read_switch(value, &settings->options.other, why);
}

static status set_non_negative(struct settings *settings, const char *value, error *why)
{
    return read_switch(value, &settings->options.non_negative, why);
}

static status set_intervals(struct settings *settings, const char *value, error *why)
{
    return read_switch(value, &settings->intervals, why);
}

static status set_notices(struct settings *settings, const char *value, error *why)
{
    return read_switch(value, &settings->notices, why);
}

static status set_confidence(struct settings *settings, const char *value, error *why)
{
    double confidence = 0;
    TRY(number_parse(value, NUMBER_NEAREST, &confidence, why));
    if (!(confidence >= CURATOR_LEAST_CONFIDENCE && confidence <= CURATOR_MOST_CONFIDENCE))
        return fail(why, DITHER_INVALID, "must be from %g to %g", CURATOR_LEAST_CONFIDENCE,
                    CURATOR_MOST_CONFIDENCE);
    settings->confidence = confidence == CURATOR_CONFIDENCE ? 0 : confidence;
    return DITHER_OK;
}

/* ---- PostgreSQL's ---- */

static bool is_alphanumeric(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* PostgreSQL looks at letters and digits alone in the names of encodings: 'utf-8', with its quotes, is UTF8. */
static bool same_encoding(const char *said, const char *known)
{
    for (; *said != '\0'; said++) {
        if (!is_alphanumeric(*said))
            continue;
        if (strncasecmp(said, known, 1) != 0)
            return false;
        known++;
    }
    return *known == '\0';
}

static status set_encoding(struct settings *settings, const char *value, error *why)
{
    (void)settings;
    return same_encoding(value, "UTF8") || same_encoding(value, "unicode")
               ? DITHER_OK
               : fail(why, DITHER_INVALID, "is always UTF8 here");
}

static status set_date_style(struct settings *settings, const char *value, error *why)
{
    (void)settings;
    return strncasecmp(value, "iso", 3) == 0 ? DITHER_OK : fail(why, DITHER_INVALID, "is always ISO here");
}

static const struct setting table[] = {
    {"dither.confidence", "0.95", "the probability with which intervals hold", set_confidence, NULL, false,
     false},
    {"dither.delta", "", "what a question may spend of delta; empty: the policy's", set_delta, NULL, false,
     false},
    {"dither.epsilon", "", "what a question costs; empty: the policy's", set_epsilon, NULL, false, false},
    {"dither.error", "", "the half width that is wanted, from which the cost follows", NULL, NULL, false,
     false},
    {"dither.intervals", "off", "adds columns with the ends of intervals", set_intervals, NULL, false, false},
    {"dither.max_groups", "", "in how many groups one unit counts", set_max_groups, NULL, false, false},
    {"dither.max_rows", "", "how many rows of one unit count in a group", set_max_rows, NULL, false, false},
    {"dither.non_negative", "off", "counts are raised to 0", set_non_negative, NULL, false, false},
    {"dither.notices", "on", "after an answer a notice says what it cost", set_notices, NULL, false, false},
    {"dither.other", "off", "shows what is in hidden groups as one row", set_other, NULL, false, false},
    {"dither.request_id", "", "a name for the next question: asked again with it, it is answered again", NULL,
     NULL, false, false},
    {"dither.rho", "", "what a question costs in zCDP; empty: the policy's", set_rho, NULL, false, false},
    {"dither.size", "", "what dither.error on averages is reckoned with", set_size, NULL, false, false},
    {"application_name", "", "of the client", NULL, NULL, false, true},
    {"bytea_output", "hex", "", NULL, NULL, false, false},
    {"client_encoding", "UTF8", "", set_encoding, NULL, false, true},
    {"client_min_messages", "notice", "", NULL, NULL, false, false},
    {"datestyle", "ISO, MDY", "", set_date_style, NULL, false, true},
    {"default_transaction_isolation", "read committed", "", NULL, NULL, false, false},
    {"default_transaction_read_only", "off", "", NULL, NULL, false, true},
    {"escape_string_warning", "on", "", NULL, NULL, false, false},
    {"extra_float_digits", "1", "", NULL, NULL, false, false},
    {"idle_in_transaction_session_timeout", "0", "", NULL, NULL, false, false},
    {"idle_session_timeout", "0", "", NULL, NULL, false, false},
    {"in_hot_standby", "off", "", NULL, NULL, true, true},
    {"integer_datetimes", "on", "", NULL, NULL, true, true},
    {"intervalstyle", "postgres", "", NULL, "postgres", false, true},
    {"is_superuser", "off", "", NULL, NULL, true, true},
    {"jit", "off", "", NULL, NULL, false, false},
    {"lc_collate", "C", "", NULL, NULL, true, false},
    {"lc_messages", "C", "", NULL, NULL, false, false},
    {"lc_monetary", "C", "", NULL, NULL, false, false},
    {"lock_timeout", "0", "", NULL, NULL, false, false},
    {"max_identifier_length", "63", "", NULL, NULL, true, false},
    {"max_index_keys", "32", "", NULL, NULL, true, false},
    {"role", "none", "", NULL, "none", false, false},
    {"row_security", "on", "", NULL, NULL, false, false},
    {"search_path", "public", "", NULL, NULL, false, false},
    {"server_encoding", "UTF8", "", NULL, NULL, true, true},
    {"server_version", "15.0 (dither " DITHER_VERSION ")", "", NULL, NULL, true, true},
    {"server_version_num", "150000", "", NULL, NULL, true, false},
    {"session_authorization", "", "", NULL, NULL, true, true},
    {"standard_conforming_strings", "on", "", NULL, "on", false, true},
    {"statement_timeout", "0", "", NULL, NULL, false, false},
    {"timezone", "UTC", "", NULL, NULL, false, true},
    {"transaction_isolation", "read committed", "", NULL, NULL, false, false},
    {"transaction_read_only", "off", "", NULL, NULL, false, false},
    {"work_mem", "4MB", "", NULL, NULL, false, false},
};

enum { COUNT = sizeof table / sizeof table[0] };
_Static_assert((int)COUNT <= (int)SETTINGS_MOST, "room for all");

static const struct setting *find(const char *name, size_t *index)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcasecmp(table[i].name, name) == 0) {
            *index = i;
            return &table[i];
        }
    return NULL;
}

/* ---- For callers ---- */

static void apply_standards(struct settings *settings)
{
    for (size_t i = 0; i < COUNT; i++)
        if (table[i].check != NULL && table[i].check(settings, table[i].standard, NULL) != DITHER_OK)
            continue; /* a default always passes: tests set each */
}

void settings_init(struct settings *settings, const char *user)
{
    *settings = (struct settings){.size = 0};
    strncpy(settings->user, user, sizeof settings->user - 1);
    apply_standards(settings);
}

static void forget(struct settings *settings, size_t index)
{
    if (settings->values[index] != NULL)
        memory_release(settings->values[index], strlen(settings->values[index]) + 1);
    settings->values[index] = NULL;
}

void settings_reset_all(struct settings *settings)
{
    for (size_t i = 0; i < COUNT; i++)
        forget(settings, i);
    apply_standards(settings);
}

void settings_free(struct settings *settings)
{
    for (size_t i = 0; i < COUNT; i++)
        forget(settings, i);
}

static status check(struct settings *settings, const struct setting *setting, const char *value, error *why)
{
    error inner;
    if (setting->fixed)
        return fail(why, DITHER_REFUSED, "parameter \"%s\" cannot be changed", setting->name);
    if (strlen(value) >= SETTINGS_VALUE_BYTES)
        return fail(why, DITHER_INVALID, "the value of \"%s\" is too long", setting->name);
    if (setting->only != NULL && strcasecmp(setting->only, value) != 0)
        return fail(why, DITHER_INVALID, "%s is always %s here", setting->name, setting->only);
    status result = setting->check != NULL ? setting->check(settings, value, &inner) : DITHER_OK;
    return result == DITHER_OK ? result : fail(why, result, "%s %s", setting->name, inner.message);
}

status settings_set(struct settings *settings, const char *name, const char *value, error *why)
{
    size_t index = 0;
    const struct setting *setting = find(name, &index);
    if (setting == NULL)
        return fail(why, DITHER_REFUSED, "unrecognized configuration parameter \"%.60s\"", name);
    if (value == NULL && setting->fixed)
        return DITHER_OK; /* it is what it always was */
    TRY(check(settings, setting, value != NULL ? value : setting->standard, why));
    char *copy = NULL;
    if (value != NULL) {
        copy = memory_allocate(strlen(value) + 1);
        if (copy == NULL)
            return fail(why, DITHER_NO_MEMORY, "out of memory");
        memcpy(copy, value, strlen(value));
    }
    forget(settings, index);
    settings->values[index] = copy;
    return DITHER_OK;
}

static const char *value_at(const struct settings *settings, size_t index)
{
    if (strcmp(table[index].name, "session_authorization") == 0)
        return settings->user;
    return settings->values[index] != NULL ? settings->values[index] : table[index].standard;
}

const char *settings_get(const struct settings *settings, const char *name)
{
    size_t index = 0;
    return find(name, &index) != NULL ? value_at(settings, index) : NULL;
}

/* PostgreSQL writes two of them in capitals, and drivers look for that. */
static const char *wire_name(const char *name)
{
    static const char *const names[] = {"DateStyle", "IntervalStyle", "TimeZone"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(names[i], name) == 0)
            return names[i];
    return name;
}

bool settings_at(const struct settings *settings, size_t index, struct setting_shown *out)
{
    if (index >= COUNT)
        return false;
    *out = (struct setting_shown){wire_name(table[index].name), value_at(settings, index), table[index].about,
                                  table[index].reported};
    return true;
}

const char *settings_reported_name(const char *name)
{
    size_t index = 0;
    const struct setting *setting = find(name, &index);
    return setting != NULL && setting->reported ? wire_name(setting->name) : NULL;
}

static const char *said(const struct settings *settings, const char *name)
{
    const char *value = settings_get(settings, name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

void settings_apply(const struct settings *settings, struct curator_question *question)
{
    question->settings = settings->options;
    question->error_wanted = said(settings, "dither.error");
    question->declared_size = settings->size;
    question->confidence = settings->confidence;
    question->request = said(settings, "dither.request_id");
}

void settings_question_done(struct settings *settings)
{
    size_t index = 0;
    if (find("dither.request_id", &index) != NULL)
        forget(settings, index);
}

void settings_print(const struct settings *settings, struct buffer *out)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (settings->values[i] == NULL || strncmp(table[i].name, "dither.", strlen("dither.")) != 0)
            continue;
        buffer_text(out, table[i].name);
        buffer_byte(out, '=');
        buffer_text(out, settings->values[i]);
        buffer_byte(out, '\n');
    }
}
