/* From the range of an argument to whole steps.
 *
 * A step is a power of two: of the argument's own units where it is a whole number (an integer, a day, a
 * microsecond, a decimal's last digit), else of 1. Bounds are rounded outwards, so that no value of the range
 * is moved by the clamp. Steps are made coarser until every bound is near enough to the centre: then what a
 * unit contributes stays far below 64 bits, whatever the policy declares. */
#include <math.h>

#include "sql/release_room.h"

enum {
    GRID_BITS = 16,       /* a real that has no grid of its own gets about 2^16 steps */
    WHOLE_MOST_BITS = 62, /* of a bound, in steps */
    LEAST_EXPONENT = -1000,
    MOST_EXPONENT = 1000,
};

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct release_limits release_sum_limits(uint64_t max_rows, bool centred)
{
    int64_t room = (INT64_C(1) << RELEASE_UNIT_BITS) / (int64_t)max_rows;
    return (struct release_limits){.most_distance = least_of(room, INT64_C(1) << RELEASE_DISTANCE_BITS),
                                   .centred = centred};
}

struct release_limits release_product_limits(uint64_t max_rows)
{
    double room = floor(sqrt(ldexp(1, RELEASE_UNIT_BITS) / (double)max_rows)) - 1; /* -1: for the rounding */
    int64_t most = least_of((int64_t)room, INT64_C(1) << RELEASE_PRODUCT_DISTANCE_BITS);
    return (struct release_limits){.most_distance = most, .centred = true};
}

struct release_limits release_quantile_limits(void)
{
    return (struct release_limits){
        .most_distance = INT64_C(1) << RELEASE_DISTANCE_BITS, .most_cells = SQL_MOST_CELLS, .centred = true};
}

/* Sets the centre; says whether the limits are kept. */
static bool settle(struct sql_steps *steps, const struct release_limits *limits)
{
    uint64_t width = (uint64_t)steps->upper - (uint64_t)steps->lower;
    steps->centre = limits->centred ? steps->lower + (int64_t)(width / 2) : 0;
    uint64_t above = steps->upper > steps->centre ? (uint64_t)steps->upper - (uint64_t)steps->centre : 0;
    uint64_t below = steps->lower < steps->centre ? (uint64_t)steps->centre - (uint64_t)steps->lower : 0;
    uint64_t most = (uint64_t)limits->most_distance;
    return above <= most && below <= most && (limits->most_cells == 0 || width < limits->most_cells);
}

static int64_t shift_down(int64_t value, int bits)
{
    int64_t size = INT64_C(1) << bits;
    return value / size - (value % size < 0);
}

static int64_t shift_up(int64_t value, int bits)
{
    int64_t size = INT64_C(1) << bits;
    return value / size + (value % size > 0);
}

static struct sql_steps choose_whole(const struct sql_range *range, const struct release_limits *limits)
{
    struct sql_steps steps = {0};
    for (int exponent = 0; exponent <= WHOLE_MOST_BITS; exponent++) {
        steps = (struct sql_steps){.exponent = exponent,
                                   .lower = shift_down(range->lower, exponent),
                                   .upper = shift_up(range->upper, exponent)};
        if (settle(&steps, limits))
            break;
    }
    return steps;
}

/* The grid that the owner declared for the column, or one of about 2^16 steps. */
static int first_exponent(const struct sql_relation *input, const struct sql_expression *argument,
                          const struct sql_range *range)
{
    struct sql_origin origin = {0};
    if (argument->kind == SQL_COLUMN && sql_trace(input, argument->column, &origin) &&
        origin.scan->kind == SQL_SCAN && origin.column < origin.scan->table->column_count &&
        origin.scan->table->columns[origin.column].type == POLICY_REAL &&
        origin.scan->table->columns[origin.column].has_range)
        return origin.scan->table->columns[origin.column].grid_exponent;
    double width = range->real_upper / 2 - range->real_lower / 2;
    if (!(width > 0))
        width = fmax(fabs(range->real_upper), ldexp(1, LEAST_EXPONENT + GRID_BITS));
    int exponent = 0;
    (void)frexp(width, &exponent); /* half the width: its power of two is not above the width's */
    exponent -= GRID_BITS;
    return exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent;
}

static struct sql_steps choose_real(int exponent, const struct sql_range *range,
                                    const struct release_limits *limits)
{
    struct sql_steps steps = {0};
    for (; exponent <= MOST_EXPONENT + GRID_BITS; exponent++) {
        double lower = floor(ldexp(range->real_lower, -exponent));
        double upper = ceil(ldexp(range->real_upper, -exponent));
        if (fmax(fabs(lower), fabs(upper)) > ldexp(1, POLICY_GRID_BITS))
            continue;
        steps = (struct sql_steps){.exponent = exponent, .lower = (int64_t)lower, .upper = (int64_t)upper};
        if (settle(&steps, limits))
            break;
    }
    return steps;
}

struct sql_steps release_choose_steps(const struct sql_relation *input, const struct sql_expression *argument,
                                      const struct sql_range *range, const struct release_limits *limits)
{
    if (argument->type == SQL_REAL)
        return choose_real(first_exponent(input, argument, range), range, limits);
    return choose_whole(range, limits);
}

double release_step_size(const struct sql_expression *argument, const struct sql_steps *steps)
{
    double size = ldexp(1, steps->exponent);
    return argument->type == SQL_DECIMAL ? size / pow(10, argument->scale) : size;
}
