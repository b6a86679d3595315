#include "cli/local_device.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"

/* ---- Which family ---- */

/* All names in one row, for guessing what was meant. */
static const char *name_at(size_t index, const void *context)
{
    (void)context;
    for (size_t i = 0; local_oracle_kind_at(i) != NULL; i++)
        if (index-- == 0)
            return local_oracle_kind_at(i)->name;
    for (size_t i = 0; local_numeric_kind_at(i) != NULL; i++)
        if (index-- == 0)
            return local_numeric_kind_at(i)->name;
    for (size_t i = 0; local_lasting_kind_at(i) != NULL; i++)
        if (index-- == 0)
            return local_lasting_kind_at(i)->name;
    return index == 0 ? "prefix" : NULL;
}

static status find_family(const struct local_survey *survey, bool lasting, enum local_family *out, error *why)
{
    const char *name = survey->mechanism;
    bool repeated = local_lasting_kind_named(name) != NULL;
    if (repeated && (lasting || local_oracle_kind_named(name) == NULL))
        *out = LOCAL_LASTING;
    else if (local_oracle_kind_named(name) != NULL)
        *out = survey->items != 0 ? LOCAL_SETS : LOCAL_VALUES;
    else if (local_numeric_kind_named(name) != NULL)
        *out = LOCAL_REALS;
    else if (strcmp(name, "prefix") == 0)
        *out = LOCAL_STRINGS;
    else {
        const char *nearest = nearest_name(name, name_at, NULL);
        return fail(why, DITHER_INVALID, "there is no local mechanism \"%.40s\"%s%s%s", name,
                    nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                    nearest != NULL ? "?" : "");
    }
    return DITHER_OK;
}

/* An option that the family does not know is a mistake, not a wish to be ignored. */
static status check_options(const struct local_survey *survey, enum local_family family, error *why)
{
    bool ranged = survey->range.lower < survey->range.upper;
    bool reals = family == LOCAL_REALS, strings = family == LOCAL_STRINGS;
    const struct {
        bool given, known;
        const char *name;
    } options[] = {
        {survey->domain != 0, !reals && !strings, "domain"},
        {ranged, reals, "range"},
        {survey->steps != 0, reals, "steps"},
        {survey->items != 0, family == LOCAL_SETS, "items"},
        {survey->length != 0, strings, "length"},
        {survey->group_bits != 0, strings, "group-bits"},
        {survey->attributes != 0, family != LOCAL_SETS && !strings, "attributes"},
        {survey->asked != 0, survey->attributes != 0, "asked"},
        {survey->permanent != 0 || survey->bits != 0 || survey->hashes != 0 || survey->width != 0 ||
             survey->seed != 0,
         !reals && !strings, "permanent, bits, hashes, width or seed"},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !options[i].known)
            return fail(why, DITHER_INVALID, "%s has no option %s%s", survey->mechanism, options[i].name,
                        strcmp(options[i].name, "asked") == 0 ? " without attributes" : "");
    if (survey->epsilon == 0 || (reals && !ranged) || (!reals && !strings && survey->domain == 0))
        return fail(why, DITHER_INVALID, "--mechanism %s needs %s--epsilon", survey->mechanism,
                    reals     ? "--range and "
                    : strings ? ""
                              : "--domain and ");
    return DITHER_OK;
}

/* Options are read as 64 bits wide; what does not fit is beyond every limit. */
static uint32_t narrow(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static status init_oracle(const struct local_survey *survey, double epsilon, struct local_device *device,
                          error *why)
{
    const struct local_oracle_kind *kind = local_oracle_kind_named(survey->mechanism);
    const struct local_setting setting = {
        .domain = narrow(survey->domain),
        .epsilon = epsilon,
        .hashes = narrow(survey->hashes),
        .width = narrow(survey->width),
        .bits = narrow(survey->bits),
        .permanent = survey->permanent,
        .seed = survey->seed,
    };
    if (device->family == LOCAL_SETS) {
        TRY(local_set_init(&device->set, kind, &setting, narrow(survey->items), why));
        device->oracle = device->set.oracle;
    } else {
        TRY(local_oracle_init(&device->oracle, kind, &setting, why));
    }
    device->report_bytes = device->oracle.report_bytes;
    return DITHER_OK;
}

static status init_lasting(const struct local_survey *survey, double epsilon, struct local_device *device,
                           error *why)
{
    const struct local_lasting_setting setting = {
        .domain = narrow(survey->domain),
        .epsilon = epsilon,
        .permanent = survey->permanent,
        .bits = narrow(survey->bits),
        .hashes = narrow(survey->hashes),
        .width = narrow(survey->width),
        .seed = survey->seed,
    };
    TRY(local_lasting_init(&device->lasting, local_lasting_kind_named(survey->mechanism), &setting, why));
    device->oracle = device->lasting.oracle;
    device->report_bytes = device->oracle.report_bytes;
    return DITHER_OK;
}

static status init_reals(const struct local_survey *survey, double epsilon, struct local_device *device,
                         error *why)
{
    const struct local_numeric_setting setting = {
        .lower = survey->range.lower,
        .upper = survey->range.upper,
        .epsilon = epsilon,
        .steps = narrow(survey->steps),
    };
    TRY(local_numeric_init(&device->numeric, local_numeric_kind_named(survey->mechanism), &setting, why));
    device->report_bytes = device->numeric.report_bytes;
    return DITHER_OK;
}

static status init_strings(const struct local_survey *survey, double epsilon, struct local_device *device,
                           error *why)
{
    const struct prefix_setting setting = {
        .epsilon = epsilon,
        .length = survey->length != 0 ? narrow(survey->length) : 16,
        .step = narrow(survey->group_bits),
    };
    TRY(prefix_init(&device->prefix, &setting, why));
    device->report_bytes = device->prefix.report_bytes;
    return DITHER_OK;
}

status local_device_init(const struct local_survey *survey, bool lasting, struct local_device *device,
                         error *why)
{
    struct local_device made = {.several = {1, 1, survey->epsilon}};
    TRY(find_family(survey, lasting, &made.family, why));
    TRY(check_options(survey, made.family, why));
    if (survey->attributes != 0) {
        made.several.attributes = narrow(survey->attributes);
        made.several.asked = survey->asked != 0 ? narrow(survey->asked) : 1;
    }
    TRY(local_several_check(&made.several, why));
    if (made.family == LOCAL_LASTING && made.several.attributes > 1)
        return fail(why, DITHER_INVALID,
                    "repeated questions are asked one at a time, each with a --name of its own");
    double epsilon = local_several_each(&made.several);
    switch (made.family) {
    case LOCAL_VALUES:
    case LOCAL_SETS:
        TRY(init_oracle(survey, epsilon, &made, why));
        break;
    case LOCAL_LASTING:
        TRY(init_lasting(survey, epsilon, &made, why));
        break;
    case LOCAL_REALS:
        TRY(init_reals(survey, epsilon, &made, why));
        break;
    case LOCAL_STRINGS:
        TRY(init_strings(survey, epsilon, &made, why));
        break;
    }
    *device = made;
    return DITHER_OK;
}

/* ---- A value into a report ---- */

static status read_value(const char *text, uint32_t domain, uint32_t *out, error *why)
{
    uint64_t value = 0;
    error inner;
    if (number_parse_whole(text, &value, &inner) != DITHER_OK || value >= domain)
        return fail(why, DITHER_INVALID, "is not a whole number below %u", domain);
    *out = (uint32_t)value;
    return DITHER_OK;
}

static status randomise_set(const struct local_device *device, const char *text, struct random *random,
                            unsigned char *report, error *why)
{
    enum { MOST = 4096 };
    uint32_t items[MOST];
    size_t count = 0;
    status result = DITHER_OK;
    while (*text != '\0' && result == DITHER_OK) {
        char item[32] = {0};
        size_t length = strcspn(text, ",");
        if (count == MOST || length >= sizeof item)
            return fail(why, DITHER_INVALID, "is not a set of up to %d items", MOST);
        memcpy(item, text, length);
        result = read_value(item, device->set.domain, &items[count++], why);
        text += length + (text[length] == ',');
    }
    if (result == DITHER_OK)
        result = local_set_randomise(&device->set, items, count, random, report, why);
    explicit_bzero(items, sizeof items);
    return result;
}

/* Somebody who is seen once: identity and memo are drawn and forgotten. */
static status randomise_once(const struct local_lasting *lasting, uint32_t value, struct random *random,
                             unsigned char *report, error *why)
{
    size_t bytes = lasting->identity_bytes + lasting->memo_bytes;
    unsigned char *identity = memory_allocate(bytes);
    if (identity == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a memo");
    unsigned char *memo = identity + lasting->identity_bytes;
    status result = lasting->kind->identify(lasting, random, identity, why);
    if (result == DITHER_OK)
        result = lasting->kind->memorise(lasting, identity, lasting->kind->key(lasting, identity, value),
                                         random, memo, why);
    if (result == DITHER_OK)
        result = lasting->kind->report(lasting, identity, memo, random, report, why);
    memory_release(identity, bytes);
    return result;
}

static status randomise_real(const struct local_device *device, const char *text, struct random *random,
                             unsigned char *report, error *why)
{
    double number = 0;
    error inner;
    if (number_parse(text, NUMBER_NEAREST, &number, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "is not a number");
    return local_numeric_randomise(&device->numeric, number, random, report, why);
}

status local_device_randomise(const struct local_device *device, const char *text,
                              const struct local_asking *asking, unsigned char *report, error *why)
{
    uint32_t value = 0;
    if (device->family == LOCAL_VALUES || device->family == LOCAL_LASTING)
        TRY(read_value(text, device->oracle.setting.domain, &value, why));
    switch (device->family) {
    case LOCAL_VALUES:
        return local_oracle_randomise(&device->oracle, value, asking->random, report, why);
    case LOCAL_SETS:
        return randomise_set(device, text, asking->random, report, why);
    case LOCAL_REALS:
        return randomise_real(device, text, asking->random, report, why);
    case LOCAL_LASTING:
        if (asking->person == NULL)
            return randomise_once(&device->lasting, value, asking->random, report, why);
        return person_report(asking->person, asking->name, &device->lasting, value, asking->random, report,
                             why);
    case LOCAL_STRINGS:
        return prefix_randomise(&device->prefix, text, strlen(text), asking->random, report, why);
    }
    return fail(why, DITHER_INVALID, "is of no known family");
}

/* ---- Counting ---- */

status local_device_tally(const struct local_device *device, struct local_tally *tally, error *why)
{
    return device->family == LOCAL_REALS ? local_numeric_tally(tally, &device->numeric, why)
                                         : local_tally_init(tally, &device->oracle, why);
}

status local_device_add(const struct local_device *device, const unsigned char *report,
                        struct local_tally *tally, error *why)
{
    return device->family == LOCAL_REALS
               ? local_numeric_add(tally, &device->numeric, report, device->report_bytes, why)
               : local_tally_add(tally, &device->oracle, report, device->report_bytes, why);
}
