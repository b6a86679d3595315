/* plot_svg.c - axes with round numbers, lines in colours that colour-blind people can tell apart (Okabe and
 * Ito 2008). */
#include "base/plot_svg.h"

#include <math.h>
#include <string.h>

#include "base/plot_parts.h"

enum {
    WIDTH = 520,
    HEIGHT = 340,
    LEFT = 62,
    RIGHT = 88, /* room for a legend of short names; panels grow for longer ones */
    TOP = 36,
    BOTTOM = 48,
    LEGEND_STEP = 15,
    LETTER = 6, /* about as wide as one letter of the legend */
};

static const char *const colours[PLOT_LINES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                "#56b4e9", "#000000", "#8b6d00", "#999999", "#7b2d8b"};

struct axis {
    double lower, upper; /* after taking the logarithm, if any */
    bool logarithmic;
};

static bool on_axis(const struct axis *axis, double value)
{
    return isfinite(value) && (!axis->logarithmic || value > 0);
}

static double position(const struct axis *axis, double value)
{
    double place = axis->logarithmic ? log10(value) : value;
    return (place - axis->lower) / (axis->upper - axis->lower);
}

void plot_escape(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            buffer_text(out, "&lt;");
        else if (*text == '>')
            buffer_text(out, "&gt;");
        else if (*text == '&')
            buffer_text(out, "&amp;");
        else if (*text == '"')
            buffer_text(out, "&quot;");
        else
            buffer_byte(out, *text);
    }
}

/* The range of all points in x (or y), a little wider; linear axes begin at 0 when that is near. */
static struct axis axis_of(const struct plot_panel *panel, bool x)
{
    struct axis axis = {INFINITY, -INFINITY, x ? panel->log_x : panel->log_y};
    for (size_t i = 0; i < panel->line_count; i++)
        for (size_t j = 0; j < panel->lines[i].count; j++) {
            double value = x ? panel->lines[i].x[j] : panel->lines[i].y[j];
            if (!on_axis(&axis, value))
                continue;
            double place = axis.logarithmic ? log10(value) : value;
            axis.lower = fmin(axis.lower, place);
            axis.upper = fmax(axis.upper, place);
        }
    if (!(axis.lower <= axis.upper))
        axis.lower = axis.upper = 0;
    if (!axis.logarithmic && axis.lower > 0 && axis.lower < 0.4 * axis.upper)
        axis.lower = 0;
    if (axis.upper - axis.lower < 1e-12 * (1 + fabs(axis.upper))) {
        axis.lower -= 0.5;
        axis.upper += 0.5;
    }
    return axis;
}

double plot_step(const struct plot_range *range)
{
    double rough = (range->upper - range->lower) / 5, power = pow(10, floor(log10(rough))),
           part = rough / power;
    return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

/* Whole powers on a logarithmic axis. */
static double mark_step(const struct axis *axis)
{
    double step = plot_step(&(struct plot_range){axis->lower, axis->upper});
    return axis->logarithmic ? fmax(1, ceil(step)) : step;
}

static void mark(struct buffer *out, bool x, double at, double value)
{
    double across = WIDTH - LEFT - RIGHT, down = HEIGHT - TOP - BOTTOM;
    if (x) {
        double place = LEFT + at * across;
        buffer_format(out, "<path d=\"M%.1f %d v%.1f\" class=\"g\"/>", place, TOP, down);
        buffer_format(out, "<text x=\"%.1f\" y=\"%d\" class=\"m\">%g</text>\n", place, HEIGHT - BOTTOM + 15,
                      value);
    } else {
        double place = HEIGHT - BOTTOM - at * down;
        buffer_format(out, "<path d=\"M%d %.1f h%.1f\" class=\"g\"/>", LEFT, place, across);
        buffer_format(out, "<text x=\"%d\" y=\"%.1f\" class=\"r\">%g</text>\n", LEFT - 5, place + 4, value);
    }
}

static void marks(struct buffer *out, const struct axis *axis, bool x)
{
    double step = mark_step(axis);
    for (double place = ceil(axis->lower / step - 1e-9) * step; place <= axis->upper + 1e-9 * step;
         place += step) {
        double value = axis->logarithmic ? pow(10, round(place)) : fabs(place) < 1e-9 * step ? 0 : place;
        mark(out, x, (place - axis->lower) / (axis->upper - axis->lower), value);
    }
}

static void draw_line(struct buffer *out, const struct plot_line *line, const struct axis *x,
                      const struct axis *y, const char *colour)
{
    bool started = false;
    buffer_text(out, "<path d=\"");
    for (size_t i = 0; i < line->count; i++) {
        if (!on_axis(x, line->x[i]) || !on_axis(y, line->y[i]))
            continue;
        buffer_format(out, "%c%.2f %.2f ", started ? 'L' : 'M',
                      LEFT + position(x, line->x[i]) * (WIDTH - LEFT - RIGHT),
                      HEIGHT - BOTTOM - position(y, line->y[i]) * (HEIGHT - TOP - BOTTOM));
        started = true;
    }
    buffer_format(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", colour);
}

static void legend(struct buffer *out, const struct plot_panel *panel)
{
    for (size_t i = 0; i < panel->line_count; i++) {
        double y = TOP + 14 + (double)i * LEGEND_STEP;
        buffer_format(out, "<path d=\"M%d %.1f h18\" stroke=\"%s\" stroke-width=\"1.8\"/>", WIDTH - RIGHT + 8,
                      y, colours[i]);
        buffer_format(out, "<text x=\"%d\" y=\"%.1f\" class=\"l\">", WIDTH - RIGHT + 32, y + 4);
        plot_escape(out, panel->lines[i].name);
        buffer_text(out, "</text>\n");
    }
}

/* Wide enough for the longest name of a line; all panels are as wide as the widest. */
static size_t panel_width(const struct plot_panel *panels, size_t count)
{
    size_t width = WIDTH;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < panels[i].line_count; j++) {
            size_t needed = WIDTH - RIGHT + 40 + LETTER * strlen(panels[i].lines[j].name);
            width = needed > width ? needed : width;
        }
    return width;
}

static void draw_panel(struct buffer *out, const struct plot_panel *panel, size_t left)
{
    struct axis x = axis_of(panel, true), y = axis_of(panel, false);
    buffer_format(out, "<g transform=\"translate(%zu 0)\">\n<text x=\"%d\" y=\"22\" class=\"t\">", left,
                  (LEFT + WIDTH - RIGHT) / 2);
    plot_escape(out, panel->title);
    buffer_text(out, "</text>\n");
    marks(out, &x, true);
    marks(out, &y, false);
    buffer_format(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n",
                  LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    for (size_t i = 0; i < panel->line_count; i++)
        draw_line(out, &panel->lines[i], &x, &y, colours[i]);
    legend(out, panel);
    buffer_format(out, "<text x=\"%d\" y=\"%d\" class=\"m\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    plot_escape(out, panel->x_name);
    buffer_format(out, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" class=\"m\">",
                  (TOP + HEIGHT - BOTTOM) / 2);
    plot_escape(out, panel->y_name);
    buffer_text(out, "</text>\n</g>\n");
}

void plot_svg(struct buffer *out, const struct plot_panel *panels, size_t count)
{
    size_t width = panel_width(panels, count);
    buffer_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %zu %d\" width=\"%zu\" height=\"%d\">\n",
        count * width, HEIGHT, count * width, HEIGHT);
    buffer_text(out, "<style>text{font-family:sans-serif;font-size:11px;fill:#222}.m{text-anchor:middle}"
                     ".r{text-anchor:end}.t{text-anchor:middle;font-size:13px}.g{stroke:#ddd}</style>\n");
    buffer_text(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < count; i++)
        draw_panel(out, &panels[i], i * width);
    buffer_text(out, "</svg>\n");
}
