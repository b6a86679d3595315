/* Looking at reports, and the batch that they wait in. */
#include "local/collect.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "local/collect_batch.h"
#include "local/report_text.h"
#include "local/survey_report.h"

const char *collect_verdict_name(enum collect_verdict verdict)
{
    static const char *const names[COLLECT_VERDICTS] = {
        [COLLECT_COUNTED] = "counted", [COLLECT_REPLAYED] = "replayed", [COLLECT_MALFORMED] = "malformed",
        [COLLECT_SURVEY] = "survey",   [COLLECT_VERSION] = "version",   [COLLECT_LENGTH] = "length",
        [COLLECT_RANGE] = "range",     [COLLECT_PERIOD] = "period",     [COLLECT_FULL] = "full",
    };
    assert(verdict < COLLECT_VERDICTS);
    return names[verdict];
}

void collect_judge(struct collector *collector, struct collect_counts *counts, enum collect_verdict verdict)
{
    counts->of[verdict]++;
    collector->counts.of[verdict]++;
}

static bool has_room(const struct collector *collector, size_t payload)
{
    return collector->entry_count < COLLECT_BATCH_REPORTS &&
           collector->payload_bytes + payload <= COLLECT_BATCH_BYTES;
}

/* The longest report of the survey, with its head. */
static size_t longest(const struct survey *survey)
{
    size_t most = 0;
    for (size_t i = 0; i < survey->question_count; i++)
        if (question_report_bytes(&survey->questions[i]) > most)
            most = question_report_bytes(&survey->questions[i]);
    return REPORT_HEAD + most;
}

bool collect_add(struct collector *collector, const unsigned char *report, size_t bytes,
                 struct collect_counts *counts)
{
    if (bytes < REPORT_HEAD || report[0] != REPORT_FORM) {
        collect_judge(collector, counts, COLLECT_MALFORMED);
        return true;
    }
    struct report_head head = report_head_read(report);
    const struct survey_question *question = survey_question_keyed(collector->survey, head.key);
    struct collect_entry entry = {.id = head.id,
                                  .key = head.key,
                                  .period = head.period,
                                  .offset = collector->payload_bytes,
                                  .counts = counts};
    if (question == NULL) { /* the database knows the keys of earlier versions */
        if (!has_room(collector, 0))
            return false;
        collector->entries[collector->entry_count++] = entry;
        return true;
    }
    size_t payload = bytes - REPORT_HEAD;
    if (payload != question_report_bytes(question)) {
        collect_judge(collector, counts, COLLECT_LENGTH);
        return true;
    }
    if (!question_check(question, report + REPORT_HEAD)) {
        collect_judge(collector, counts, COLLECT_RANGE);
        return true;
    }
    if (!has_room(collector, payload))
        return false;
    entry.question = question;
    memcpy(collector->payloads + entry.offset, report + REPORT_HEAD, payload);
    collector->payload_bytes += payload;
    collector->entries[collector->entry_count++] = entry;
    return true;
}

bool collect_add_line(struct collector *collector, const char *line, size_t length,
                      struct collect_counts *counts)
{
    size_t bytes = length / 2 < collector->line_bytes ? length / 2 : collector->line_bytes;
    if (length % 2 != 0 || !report_read(line, 2 * bytes, collector->line, bytes)) {
        collect_judge(collector, counts, COLLECT_MALFORMED);
        return true;
    }
    return collect_add(collector, collector->line, bytes, counts);
}

static status allocate(struct collector *collector, error *why)
{
    collector->line_bytes = longest(collector->survey) + 1; /* of a longer one no more is looked at */
    collector->line = memory_allocate(collector->line_bytes);
    collector->entries = memory_allocate(COLLECT_BATCH_REPORTS * sizeof *collector->entries);
    collector->payloads = memory_allocate(COLLECT_BATCH_BYTES);
    collector->sorted = memory_allocate(COLLECT_BATCH_BYTES);
    if (collector->line == NULL || collector->entries == NULL || collector->payloads == NULL ||
        collector->sorted == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to collect");
    return DITHER_OK;
}

/* What a process left behind that did not live to fold it. */
static status find_waiting(struct collector *collector, error *why)
{
    int64_t bytes = 0;
    bool found = false;
    TRY(collect_store_number(&collector->store, "SELECT sum(length(reports)) FROM pending", NULL, 0, &bytes,
                             &found, why));
    collector->waiting = (uint64_t)bytes;
    return DITHER_OK;
}

static status open_database(struct collector *collector, error *why)
{
    struct collect_store *store = &collector->store;
    TRY(collect_store_open(store, collector->survey->database, COLLECT_WRITE, why));
    TRY(collect_store_begin(store, why));
    status result = collect_store_agree(store, collector->survey, why);
    if (result == DITHER_OK)
        result = find_waiting(collector, why);
    if (result == DITHER_OK)
        return collect_store_commit(store, why);
    collect_store_cancel(store);
    return result;
}

status collect_open(const struct survey *survey, struct collector **out, error *why)
{
    struct collector *collector = memory_allocate(sizeof *collector);
    if (collector == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to collect");
    collector->survey = survey;
    status result = allocate(collector, why);
    if (result == DITHER_OK)
        result = open_database(collector, why);
    if (result == DITHER_OK)
        *out = collector;
    else
        collect_close(collector);
    return result;
}

void collect_close(struct collector *collector)
{
    if (collector == NULL)
        return;
    collect_store_close(&collector->store);
    memory_release(collector->line, collector->line_bytes);
    memory_release(collector->entries, COLLECT_BATCH_REPORTS * sizeof *collector->entries);
    memory_release(collector->payloads, COLLECT_BATCH_BYTES);
    memory_release(collector->sorted, COLLECT_BATCH_BYTES);
    memory_release(collector, sizeof *collector);
}
