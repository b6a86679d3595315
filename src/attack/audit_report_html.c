/* What was found, as a page that is complete in itself: no script, nothing from elsewhere. */
#include "attack/audit_parts.h"
#include "base/plot_svg.h"

static void write_text(struct buffer *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '<')
            buffer_text(out, "&lt;");
        else if (*at == '&')
            buffer_text(out, "&amp;");
        else
            buffer_byte(out, *at);
    }
}

static void write_cell(struct buffer *out, const char *text)
{
    buffer_text(out, "<td>");
    write_text(out, text);
    buffer_text(out, "</td>");
}

static void write_checks(const struct audit_report *report, struct buffer *out)
{
    buffer_text(
        out, "<h2>Checks</h2>\n<table><tr><th>check</th><th>tests</th><th>convictions</th><th></th></tr>\n");
    for (size_t i = 0; i < AUDIT_CHECKS; i++) {
        buffer_text(out, report->convictions[i] > 0 ? "<tr class=\"bad\">" : "<tr>");
        write_cell(out, audit_check_name((enum audit_check)i));
        buffer_format(out, "<td>%llu</td><td>%llu</td>", (unsigned long long)report->tests[i],
                      (unsigned long long)report->convictions[i]);
        write_cell(out, report->skipped[i] != NULL ? report->skipped[i] : "");
        buffer_text(out, "</tr>\n");
    }
    buffer_text(out, "</table>\n");
}

static void write_bounds(const struct audit_report *report, struct buffer *out)
{
    buffer_text(
        out,
        "<h2>Claimed and found</h2>\n<p>Lower bounds on epsilon: from guessing who is in the data, given one "
        "answer; and from the most telling event.</p>\n<table><tr><th>question</th><th>claimed epsilon</th>"
        "<th>delta</th><th>guesses</th><th>events</th><th>samples</th><th></th></tr>\n");
    for (const struct audit_bound *bound = report->bounds; bound != NULL; bound = bound->next) {
        buffer_text(out, "<tr>");
        write_cell(out, bound->kind);
        buffer_format(out, "<td>%.3f</td><td>%.1g</td><td>%.3f</td><td>%.3f</td><td>%llu</td>",
                      bound->claimed_epsilon, bound->claimed_delta, bound->guesses, bound->events,
                      (unsigned long long)bound->samples);
        write_cell(out, bound->question);
        buffer_text(out, "</tr>\n");
    }
    buffer_text(out, "</table>\n");
}

static void write_findings(const struct audit_report *report, struct buffer *out)
{
    if (report->findings != NULL)
        buffer_text(out, "<h2>Convictions</h2>\n");
    for (const struct audit_finding *finding = report->findings; finding != NULL; finding = finding->next) {
        buffer_format(out, "<p><b>%s</b>: ", audit_check_name(finding->check));
        write_text(out, finding->text);
        if (finding->question != NULL) {
            buffer_text(out, "<br><code>");
            write_text(out, finding->question);
            buffer_text(out, "</code>");
        }
        buffer_text(out, "</p>\n");
    }
}

static void write_plots(const struct audit_report *report, struct buffer *out)
{
    struct plot_panel panels[AUDIT_CURVES] = {0};
    for (size_t i = 0; i < report->curve_count; i++) {
        const struct audit_curve *curve = &report->curves[i];
        panels[i] = (struct plot_panel){.title = curve->title,
                                        .x_name = curve->x_name,
                                        .y_name = curve->y_name,
                                        .lines = {{"seen", curve->x, curve->seen, curve->count},
                                                  {"expected", curve->x, curve->expected, curve->count}},
                                        .line_count = 2};
    }
    if (report->curve_count > 0)
        plot_svg(out, panels, report->curve_count);
}

void audit_report_html(const struct audit_report *report, struct buffer *out)
{
    bool convicted = audit_report_convicts(report);
    buffer_text(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Dither: audit</title>\n"
        "<style>body{font-family:sans-serif;max-width:75em;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}"
        ".bad{background:#fdd}</style></head><body>\n<h1>Audit of ");
    write_text(out, report->policy);
    buffer_format(
        out,
        ": %s</h1>\n<p>%llu answers in %.0f seconds, seed %llu. An honest build is convicted once in %.3g "
        "runs.</p>\n",
        convicted ? "convicted" : "passed", (unsigned long long)report->answers, report->seconds,
        (unsigned long long)report->seed, 1 / report->error);
    write_findings(report, out);
    write_checks(report, out);
    write_bounds(report, out);
    write_plots(report, out);
    buffer_text(out, "</body></html>\n");
}
