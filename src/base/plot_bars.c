#include "base/plot_bars.h"

#include <math.h>

#include "base/plot_parts.h"

enum {
    WIDTH = 640,
    LEFT = 150, /* room for names */
    RIGHT = 24,
    TOP = 36, /* of a chart: its title */
    BOTTOM = 40,
    ROW = 20,
    BAR = 12,
    NAME_LETTERS = 24,
};

static int chart_height(const struct plot_chart *chart)
{
    return TOP + ROW * (int)chart->count + BOTTOM;
}

/* From 0, or below it, to the longest whisker. */
static struct plot_range range_of(const struct plot_chart *chart)
{
    struct plot_range range = {0, 0};
    for (size_t i = 0; i < chart->count; i++) {
        range.lower = fmin(range.lower, fmin(chart->bars[i].lower, chart->bars[i].value));
        range.upper = fmax(range.upper, fmax(chart->bars[i].upper, chart->bars[i].value));
    }
    if (range.upper - range.lower <= 0)
        range.upper = 1;
    return range;
}

static double across(const struct plot_range *range, double value)
{
    return LEFT + (value - range->lower) / (range->upper - range->lower) * (WIDTH - LEFT - RIGHT);
}

/* Whole characters of UTF-8, with dots for the rest. */
static void write_name(struct buffer *out, const char *name)
{
    char kept[4 * NAME_LETTERS + 4];
    size_t bytes = 0, letters = 0;
    for (; name[bytes] != '\0' && bytes < sizeof kept - 4; bytes++) {
        if (((unsigned char)name[bytes] & 0xc0) != 0x80 && letters++ == NAME_LETTERS)
            break;
        kept[bytes] = name[bytes];
    }
    kept[bytes] = '\0';
    plot_escape(out, kept);
    if (name[bytes] != '\0')
        buffer_text(out, "...");
}

static void draw_bar(struct buffer *out, const struct plot_bar *bar, const struct plot_range *range, int top)
{
    double zero = across(range, 0), end = across(range, bar->value), middle = top + ROW / 2.;
    buffer_format(out, "<text x=\"%d\" y=\"%.1f\" class=\"r\">", LEFT - 6, middle + 4);
    write_name(out, bar->name);
    buffer_format(out, "</text><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#56b4e9\"/>",
                  fmin(zero, end), middle - BAR / 2., fabs(end - zero), BAR);
    double lower = across(range, bar->lower), upper = across(range, bar->upper);
    buffer_format(out, "<path d=\"M%.1f %.1f H%.1f M%.1f %.1f v8 M%.1f %.1f v8\" class=\"w\"/>\n", lower,
                  middle, upper, lower, middle - 4, upper, middle - 4);
}

static void draw_chart(struct buffer *out, const struct plot_chart *chart, int top)
{
    struct plot_range range = range_of(chart);
    double step = plot_step(&range);
    int bottom = top + TOP + ROW * (int)chart->count;
    buffer_format(out, "<text x=\"%d\" y=\"%d\" class=\"t\">", WIDTH / 2, top + 22);
    plot_escape(out, chart->title);
    buffer_text(out, "</text>\n");
    for (double mark = ceil(range.lower / step - 1e-9) * step; mark <= range.upper + 1e-9 * step;
         mark += step) {
        double value = fabs(mark) < 1e-9 * step ? 0 : mark, place = across(&range, value);
        buffer_format(out, "<path d=\"M%.1f %d V%d\" class=\"g\"/>", place, top + TOP, bottom);
        buffer_format(out, "<text x=\"%.1f\" y=\"%d\" class=\"m\">%g</text>\n", place, bottom + 14, value);
    }
    for (size_t i = 0; i < chart->count; i++)
        draw_bar(out, &chart->bars[i], &range, top + TOP + ROW * (int)i);
    buffer_format(out, "<text x=\"%d\" y=\"%d\" class=\"m\">", (LEFT + WIDTH - RIGHT) / 2, bottom + 30);
    plot_escape(out, chart->unit);
    buffer_text(out, "</text>\n");
}

void plot_bars(struct buffer *out, const struct plot_chart *charts, size_t count)
{
    int height = 0, top = 0;
    for (size_t i = 0; i < count; i++)
        height += chart_height(&charts[i]);
    buffer_format(
        out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
        WIDTH, height, WIDTH, height);
    buffer_text(out,
                "<style>text{font-family:sans-serif;font-size:11px;fill:#222}.m{text-anchor:middle}"
                ".r{text-anchor:end}.t{text-anchor:middle;font-size:13px}.g{stroke:#ddd}"
                ".w{stroke:#222;fill:none}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < count; i++) {
        draw_chart(out, &charts[i], top);
        top += chart_height(&charts[i]);
    }
    buffer_text(out, "</svg>\n");
}
