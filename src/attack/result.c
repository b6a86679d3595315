/* What an attack found, as it is collected. */
#include <assert.h>
#include <math.h>

#include "attack/attack.h"

void attack_result_init(struct attack_result *result)
{
    *result = (struct attack_result){.guessing = NAN, .baseline = NAN, .dither = NAN, .bound = NAN};
    arena_init(&result->arena, ATTACK_ARENA_BYTES);
}

void attack_result_free(struct attack_result *result)
{
    arena_free(&result->arena);
}

void attack_fact(struct attack_result *result, const char *name, double value)
{
    assert(result->fact_count < ATTACK_FACTS);
    result->facts[result->fact_count++] = (struct attack_fact){name, value};
}

struct plot_panel *attack_panel(struct attack_result *result, const char *title, const char *x_name,
                                const char *y_name)
{
    assert(result->panel_count < ATTACK_PANELS);
    struct plot_panel *panel = &result->panels[result->panel_count++];
    *panel = (struct plot_panel){.title = title, .x_name = x_name, .y_name = y_name};
    return panel;
}

status attack_line(struct attack_result *result, struct plot_panel *panel, const char *name, size_t count,
                   double **x, double **y, error *why)
{
    assert(panel->line_count < PLOT_LINES && count > 0);
    void *points;
    TRY(arena_take(&result->arena, 2 * count * sizeof(double), &points, why));
    *x = points;
    *y = *x + count;
    panel->lines[panel->line_count++] = (struct plot_line){name, *x, *y, count};
    return DITHER_OK;
}

double attack_bound(const char *epsilon)
{
    return 1 / (1 + exp(-dither_decimal(epsilon)));
}
