/* What was found, for people. */
#include <math.h>

#include "attack/audit_parts.h"

const char *audit_report_first(const struct audit_report *report)
{
    return report->findings != NULL ? report->findings->text : NULL;
}

static void write_checks(const struct audit_report *report, struct buffer *out)
{
    buffer_format(out, "%-12s %10s %12s\n", "check", "tests", "convictions");
    for (size_t i = 0; i < AUDIT_CHECKS; i++) {
        buffer_format(out, "%-12s %10llu %12llu", audit_check_name((enum audit_check)i),
                      (unsigned long long)report->tests[i], (unsigned long long)report->convictions[i]);
        buffer_format(out, report->skipped[i] != NULL ? "   (%s)\n" : "\n%.0s",
                      report->skipped[i] != NULL ? report->skipped[i] : "");
    }
}

static void write_bounds(const struct audit_report *report, struct buffer *out)
{
    if (report->bounds != NULL)
        buffer_format(out, "\n%-16s %9s %9s %9s %9s %9s  %s\n", "question", "claimed", "delta", "guesses",
                      "events", "samples", "");
    for (const struct audit_bound *bound = report->bounds; bound != NULL; bound = bound->next)
        buffer_format(out, "%-16s %9.3f %9.1g %9.3f %9.3f %9llu  %s\n", bound->kind, bound->claimed_epsilon,
                      bound->claimed_delta, bound->guesses, bound->events, (unsigned long long)bound->samples,
                      bound->question);
}

static void write_findings(const struct audit_report *report, struct buffer *out)
{
    for (const struct audit_finding *finding = report->findings; finding != NULL; finding = finding->next) {
        buffer_format(out, "\n%s: %s\n", audit_check_name(finding->check), finding->text);
        if (finding->question != NULL)
            buffer_format(out, "    %s\n", finding->question);
    }
}

void audit_report_text(const struct audit_report *report, struct buffer *out)
{
    write_checks(report, out);
    write_bounds(report, out);
    write_findings(report, out);
    buffer_format(
        out,
        "\n%s: %llu answers in %.0f seconds, seed %llu; an honest build is convicted once in %.3g runs\n",
        audit_report_convicts(report) ? "CONVICTED" : "passed", (unsigned long long)report->answers,
        report->seconds, (unsigned long long)report->seed, 1 / report->error);
}
