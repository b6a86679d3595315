/* A plot is one well-formed SVG text: every line is drawn with as many points as can be shown, names are
 * escaped, and axes carry round numbers. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "base/plot_svg.h"

static struct buffer drawn(const struct plot_panel *panels, size_t count)
{
    struct buffer out;
    error why;
    buffer_init(&out, 1 << 18);
    plot_svg(&out, panels, count);
    assert_int_equal(buffer_check(&out, &why), DITHER_OK);
    return out;
}

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

static void lines_have_all_points_that_can_be_shown(void **state)
{
    (void)state;
    const double x[] = {1, 10, 100, 1000, -1}, y[] = {1, 2, NAN, INFINITY, 5};
    const struct plot_panel panel = {.title = "t",
                                     .x_name = "x",
                                     .y_name = "y",
                                     .log_x = true,
                                     .lines = {{"line", x, y, 5}},
                                     .line_count = 1};
    struct buffer out = drawn(&panel, 1);
    assert_int_equal(strncmp(out.data, "<svg ", 5), 0);
    assert_non_null(strstr(out.data, "</svg>\n"));
    /* two points: one moves there, one draws to; NaN, infinity and a negative on a logarithmic axis are left
     * out */
    const char *line = strstr(out.data, "<path d=\"M62.00 ");
    assert_non_null(line);
    const char *end = strchr(line, '>');
    size_t segments = 0;
    for (const char *at = line; at < end; at++)
        segments += *at == 'L';
    assert_int_equal(segments, 1);
    assert_null(strstr(out.data, "nan"));
    assert_null(strstr(out.data, "inf"));
    buffer_free(&out);
}

static void names_are_escaped(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {0, 1};
    const struct plot_panel panel = {
        .title = "<script>&\"", .x_name = "a<b", .y_name = "y", .lines = {{"<i>", x, y, 2}}, .line_count = 1};
    struct buffer out = drawn(&panel, 1);
    assert_null(strstr(out.data, "<script>"));
    assert_null(strstr(out.data, "<i>"));
    assert_non_null(strstr(out.data, "&lt;script&gt;&amp;&quot;"));
    buffer_free(&out);
}

static void a_panel_is_wide_enough_for_its_legend(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {0, 1};
    struct plot_panel panels[2] = {
        {.title = "t", .x_name = "x", .y_name = "y", .lines = {{"short", x, y, 2}}, .line_count = 1}};
    panels[1] = panels[0];
    struct buffer out = drawn(panels, 2);
    assert_non_null(strstr(out.data, "viewBox=\"0 0 1040 340\"")); /* twice 520 */
    buffer_free(&out);
    panels[1].lines[0].name = "a name of forty letters, as there may be";
    out = drawn(panels, 2);
    assert_null(strstr(out.data, "translate(520 0)"));
    assert_non_null(
        strstr(out.data, "translate(712 0)")); /* 432 and 40 for what stands before it, 40 times 6 */
    buffer_free(&out);
}

static void axes_carry_round_numbers(void **state)
{
    (void)state;
    const double x[] = {0, 1000}, y[] = {1e-3, 1e3};
    const struct plot_panel panel = {.title = "t",
                                     .x_name = "x",
                                     .y_name = "y",
                                     .log_y = true,
                                     .lines = {{"line", x, y, 2}},
                                     .line_count = 1};
    struct buffer out = drawn(&panel, 1);
    assert_non_null(strstr(out.data, ">200</text>"));
    assert_non_null(strstr(out.data, ">1000</text>"));
    assert_non_null(strstr(out.data, ">0.001</text>"));
    buffer_free(&out);
}

static void panels_stand_side_by_side_even_when_empty(void **state)
{
    (void)state;
    const double one[] = {3};
    const struct plot_panel panels[] = {
        {.title = "empty", .x_name = "x", .y_name = "y"},
        {.title = "flat", .x_name = "x", .y_name = "y", .lines = {{"point", one, one, 1}}, .line_count = 1}};
    struct buffer out = drawn(panels, 2);
    assert_int_equal(occurrences(out.data, "<g transform"), 2);
    assert_int_equal(occurrences(out.data, "</g>"), 2);
    assert_null(strstr(out.data, "nan"));
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_all_points_that_can_be_shown),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(a_panel_is_wide_enough_for_its_legend),
        cmocka_unit_test(axes_carry_round_numbers),
        cmocka_unit_test(panels_stand_side_by_side_even_when_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
