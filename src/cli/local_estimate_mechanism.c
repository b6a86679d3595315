/* `dither local estimate --mechanism`: files of reports in, what they say out. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/local_device.h"
#include "cli/local_figures.h"
#include "cli/local_rows.h"
#include "cli/local_strings.h"
#include "local/normal.h"
#include "local/report_text.h"

struct collector {
    struct local_device device;
    const struct local_estimate_request *request;
    struct local_tally *tallies; /* one for each attribute */
    struct local_spool strings;  /* of strings; nothing is counted before all are there */
    uint64_t people, refused;    /* lines */
    unsigned char *report;
};

/* ---- Reading ---- */

static status take_report(struct collector *collector, uint32_t attribute, error *why)
{
    if (collector->device.family == LOCAL_STRINGS)
        return local_spool_add(&collector->strings, collector->report, why);
    return local_device_add(&collector->device, collector->report, &collector->tallies[attribute], why);
}

static status take_line(struct collector *collector, const char *line, size_t length, error *why)
{
    if (!report_read(line, length, collector->report, collector->device.report_bytes)) {
        collector->refused++;
        return DITHER_OK;
    }
    return take_report(collector, 0, why);
}

/* ATTRIBUTE:REPORT, as many as are asked, ascending; a line that is anything else is refused whole. */
static bool check_several(const struct collector *collector, const char *line, uint32_t *attributes)
{
    const struct local_several *several = &collector->device.several;
    size_t hex = 2 * collector->device.report_bytes;
    for (uint32_t i = 0; i < several->asked; i++) {
        char *end;
        if (*line < '0' || *line > '9')
            return false;
        unsigned long attribute = strtoul(line, &end, 10);
        if (*end != ':' || attribute >= several->attributes || (i > 0 && attribute <= attributes[i - 1]))
            return false;
        line = end + 1;
        if (strnlen(line, hex) < hex || !report_read(line, hex, collector->report, hex / 2))
            return false;
        attributes[i] = (uint32_t)attribute;
        line += hex;
        if (*line++ != (i + 1 < several->asked ? ',' : '\0'))
            return false;
    }
    return true;
}

static status take_several(struct collector *collector, const char *line, error *why)
{
    uint32_t attributes[LOCAL_ATTRIBUTES_LIMIT];
    size_t hex = 2 * collector->device.report_bytes;
    if (!check_several(collector, line, attributes)) {
        collector->refused++;
        return DITHER_OK;
    }
    for (uint32_t i = 0; i < collector->device.several.asked; i++) {
        line = strchr(line, ':') + 1;
        if (report_read(line, hex, collector->report, hex / 2))
            TRY(take_report(collector, attributes[i], why));
    }
    collector->people++;
    return DITHER_OK;
}

static status read_reports(struct collector *collector, FILE *file, const char *name, error *why)
{
    char *line = NULL;
    size_t capacity = 0;
    status result = DITHER_OK;
    for (ssize_t length; result == DITHER_OK && (length = getline(&line, &capacity, file)) >= 0;) {
        size_t kept = (size_t)length - (length > 0 && line[length - 1] == '\n');
        line[kept] = '\0';
        result = collector->device.several.attributes > 1 ? take_several(collector, line, why)
                                                          : take_line(collector, line, kept, why);
    }
    if (result == DITHER_OK && ferror(file))
        result = fail(why, DITHER_IO, "cannot read %.200s: %s", name, strerror(errno));
    free(line);
    return result;
}

static status read_file(struct collector *collector, const char *path, error *why)
{
    if (strcmp(path, "-") == 0)
        return read_reports(collector, stdin, "standard input", why);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "cannot read %.200s: %s", path, strerror(errno));
    status result = read_reports(collector, file, path, why);
    fclose(file);
    return result;
}

/* ---- Counts of values ---- */

static status estimate_counts(const struct collector *collector, const struct local_tally *tally,
                              struct local_estimate *estimates, size_t domain, error *why)
{
    const struct local_device *device = &collector->device;
    if (device->family == LOCAL_SETS)
        return local_set_estimate(tally, &device->set, collector->request->confidence, estimates, why);
    TRY(local_estimate_conclude(tally, &device->oracle, collector->request, estimates, why));
    if (!collector->request->project)
        return DITHER_OK;
    return local_estimate_project(estimates, domain, (double)tally->people, why);
}

static status print_counts(const struct collector *collector, error *why)
{
    const struct local_device *device = &collector->device;
    size_t domain = device->family == LOCAL_SETS ? device->set.domain : device->oracle.setting.domain;
    size_t bytes = domain * sizeof(struct local_estimate);
    struct local_estimate *estimates = memory_allocate(bytes);
    if (estimates == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu estimates", domain);
    const struct local_tally *tally = &collector->tallies[0];
    status result = estimate_counts(collector, tally, estimates, domain, why);
    const struct local_answer told = {
        .estimates = estimates,
        .count = domain,
        .people = (double)tally->people,
        .refused = tally->refused + collector->refused,
        .epsilon = device->several.epsilon,
        .condition = NAN,
    };
    if (result == DITHER_OK)
        result = local_print(&told, collector->request->format, why);
    memory_release(estimates, bytes);
    return result;
}

static status several_counts(const struct collector *collector, struct arena *arena, struct local_rows *rows,
                             error *why)
{
    size_t domain = collector->device.oracle.setting.domain, bytes = domain * sizeof(struct local_estimate);
    double reach = normal_two_sided(collector->request->confidence);
    struct local_estimate *estimates = memory_allocate(bytes);
    status result =
        estimates != NULL ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "no memory for %zu estimates", domain);
    for (uint32_t a = 0; result == DITHER_OK && a < collector->device.several.attributes; a++) {
        const struct local_tally *tally = &collector->tallies[a];
        if (tally->people == 0)
            continue;
        result = estimate_counts(collector, tally, estimates, domain, why);
        for (size_t v = 0; result == DITHER_OK && v < domain; v++) {
            char name[24];
            snprintf(name, sizeof name, "%zu", v);
            struct local_estimate all =
                local_estimate_widen(&estimates[v], (double)tally->people, (double)collector->people, reach);
            struct local_row row = {a, name, {all.count, sqrt(all.variance), all.lower, all.upper}};
            result = local_rows_add(rows, arena, &row, why);
        }
    }
    memory_release(estimates, bytes);
    return result;
}

/* ---- Numbers, strings, several questions ---- */

static status number_rows(const struct collector *collector, struct arena *arena, struct local_rows *rows,
                          error *why)
{
    for (uint32_t a = 0; a < collector->device.several.attributes; a++) {
        const struct local_figures_wanted wanted = {
            .numeric = &collector->device.numeric,
            .tally = &collector->tallies[a],
            .request = collector->request,
            .attribute = a,
        };
        if (collector->device.several.attributes == 1 || collector->tallies[a].people >= 2)
            TRY(local_figures(&wanted, arena, rows, why));
    }
    return DITHER_OK;
}

static status string_rows(struct collector *collector, struct arena *arena, struct local_rows *rows,
                          error *why)
{
    const struct prefix_source source = {local_spool_replay, &collector->strings};
    struct local_strings strings = {0};
    status result = local_strings_find(&source, &collector->device.prefix, collector->request, &strings, why);
    for (size_t i = 0; result == DITHER_OK && i < strings.found.count; i++) {
        char name[LOCAL_STRING_SHOWN];
        const struct local_estimate *estimate = &strings.hitters[i].estimate;
        const struct local_row row = {
            0,
            local_string_shown(&strings.hitters[i], name),
            {estimate->count, sqrt(estimate->variance), estimate->lower, estimate->upper}};
        result = local_rows_add(rows, arena, &row, why);
    }
    collector->people = strings.found.people;
    collector->refused += strings.found.refused;
    local_strings_free(&strings);
    return result;
}

static status print_rows(struct collector *collector, error *why)
{
    const struct local_device *device = &collector->device;
    bool reals = device->family == LOCAL_REALS, strings = device->family == LOCAL_STRINGS,
         several = device->several.attributes > 1;
    struct local_rows rows = {0};
    struct arena arena;
    arena_init(&arena, (size_t)4 << 30);
    status result = reals     ? number_rows(collector, &arena, &rows, why)
                    : strings ? string_rows(collector, &arena, &rows, why)
                              : several_counts(collector, &arena, &rows, why);
    struct local_rows_shown shown = {
        .name = reals     ? "figure"
                : strings ? "text"
                          : "value",
        .value = reals ? "value" : "count",
        .attributes = several,
        .people = (double)(several || strings ? collector->people : collector->tallies[0].people),
        .epsilon = device->several.epsilon,
        .refused = collector->refused,
    };
    for (uint32_t a = 0; !strings && a < device->several.attributes; a++)
        shown.refused += collector->tallies[a].refused;
    if (result == DITHER_OK)
        result = local_rows_print(&rows, &shown, collector->request->format, why);
    arena_free(&arena);
    return result;
}

/* ---- All together ---- */

static status open_tallies(struct collector *collector, error *why)
{
    enum { COUNTERS = 1 << 27 };
    uint32_t attributes = collector->device.several.attributes;
    size_t cells = collector->device.family == LOCAL_REALS ? collector->device.numeric.outputs
                                                           : collector->device.oracle.cells;
    if (attributes > 1 && cells > COUNTERS / attributes)
        return fail(why, DITHER_INVALID, "%u attributes of %zu counters are too many: %d at most", attributes,
                    cells, COUNTERS);
    collector->strings.report_bytes = collector->device.report_bytes;
    collector->report = memory_allocate(collector->device.report_bytes);
    collector->tallies = memory_allocate(attributes * sizeof *collector->tallies);
    if (collector->report == NULL || collector->tallies == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for reports");
    for (uint32_t a = 0; collector->device.family != LOCAL_STRINGS && a < attributes; a++)
        TRY(local_device_tally(&collector->device, &collector->tallies[a], why));
    return DITHER_OK;
}

static void close_tallies(struct collector *collector)
{
    uint32_t attributes = collector->device.several.attributes;
    for (uint32_t a = 0; collector->tallies != NULL && a < attributes; a++)
        local_tally_free(&collector->tallies[a]);
    memory_release(collector->tallies, attributes * sizeof *collector->tallies);
    memory_release(collector->report, collector->device.report_bytes);
    local_spool_close(&collector->strings);
}

static status run(struct collector *collector, int argc, char **argv, error *why)
{
    const struct local_device *device = &collector->device;
    status result = open_tallies(collector, why);
    for (int i = 0; i < argc && result == DITHER_OK; i++)
        result = read_file(collector, argv[i], why);
    bool rows =
        device->family == LOCAL_REALS || device->family == LOCAL_STRINGS || device->several.attributes > 1;
    if (result == DITHER_OK)
        result = rows ? print_rows(collector, why) : print_counts(collector, why);
    if (result == DITHER_OK && collector->request->plot != NULL)
        result = local_figures_draw(&device->numeric, &collector->tallies[0], collector->request, why);
    close_tallies(collector);
    return result;
}

/* An option that would not be looked at is a mistake. */
static status check_request(const struct local_device *device, const struct local_estimate_request *request,
                            error *why)
{
    bool reals = device->family == LOCAL_REALS;
    if (request->question != NULL || request->period != NULL)
        return fail(why, DITHER_INVALID, "--question and --period are for a survey");
    if (request->plot != NULL && (!reals || device->several.attributes > 1 || device->numeric.window == 0))
        return fail(why, DITHER_INVALID, "--plot is for a survey, or for the distribution of numbers");
    if (request->quantiles->count != 0 && (!reals || device->numeric.window == 0))
        return fail(why, DITHER_INVALID, "--quantiles are for numbers, and not for single bits");
    if (request->keep != 0 && device->family != LOCAL_STRINGS)
        return fail(why, DITHER_INVALID, "--keep is for strings");
    if (request->project && (reals || device->family == LOCAL_SETS || device->family == LOCAL_STRINGS))
        return fail(why, DITHER_INVALID, "--project is for counts of values");
    return DITHER_OK;
}

int local_estimate_of_mechanism(int argc, char **argv, const struct local_survey *survey,
                                const struct local_estimate_request *request)
{
    static struct collector collector;
    error why;
    collector = (struct collector){.request = request};
    if (local_device_init(survey, survey->permanent != 0 && survey->attributes == 0, &collector.device,
                          &why) != DITHER_OK ||
        check_request(&collector.device, request, &why) != DITHER_OK)
        return cli_misused("local estimate", &why);
    return run(&collector, argc, argv, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
