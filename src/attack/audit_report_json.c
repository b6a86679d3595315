/* What was found, for programs. */
#include "attack/audit_parts.h"
#include "base/json.h"

static void write_whole(struct json_writer *json, const char *name, uint64_t number)
{
    json_write_key(json, name);
    json_write_whole(json, (int64_t)number);
}

static void write_checks(const struct audit_report *report, struct json_writer *json)
{
    json_write_key(json, "checks");
    json_begin_array(json);
    for (size_t i = 0; i < AUDIT_CHECKS; i++) {
        json_begin_object(json);
        json_member_text(json, "name", audit_check_name((enum audit_check)i));
        write_whole(json, "tests", report->tests[i]);
        write_whole(json, "convictions", report->convictions[i]);
        if (report->skipped[i] != NULL)
            json_member_text(json, "skipped", report->skipped[i]);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_bounds(const struct audit_report *report, struct json_writer *json)
{
    json_write_key(json, "bounds");
    json_begin_array(json);
    for (const struct audit_bound *bound = report->bounds; bound != NULL; bound = bound->next) {
        json_begin_object(json);
        json_member_text(json, "kind", bound->kind);
        json_member_text(json, "question", bound->question);
        json_member_number(json, "claimed_epsilon", bound->claimed_epsilon);
        json_member_number(json, "claimed_delta", bound->claimed_delta);
        json_member_number(json, "guesses", bound->guesses);
        json_member_number(json, "events", bound->events);
        write_whole(json, "samples", bound->samples);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_findings(const struct audit_report *report, struct json_writer *json)
{
    json_write_key(json, "findings");
    json_begin_array(json);
    for (const struct audit_finding *finding = report->findings; finding != NULL; finding = finding->next) {
        json_begin_object(json);
        json_member_text(json, "check", audit_check_name(finding->check));
        json_member_text(json, "text", finding->text);
        if (finding->question != NULL)
            json_member_text(json, "question", finding->question);
        json_end_object(json);
    }
    json_end_array(json);
}

void audit_report_json(const struct audit_report *report, struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_write_key(&json, "passed");
    json_write_bool(&json, !audit_report_convicts(report));
    json_member_text(&json, "policy", report->policy);
    write_whole(&json, "seed", report->seed);
    json_member_number(&json, "error", report->error);
    write_whole(&json, "answers", report->answers);
    json_member_number(&json, "seconds", report->seconds);
    write_checks(report, &json);
    write_bounds(report, &json);
    write_findings(report, &json);
    json_end_object(&json);
    buffer_byte(out, '\n');
}
