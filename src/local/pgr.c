/* Projective geometry response (Feldman, Nelson, Nguyen, Talwar 2022): values are points of the projective space of
 * dimension t - 1 over a field of q elements, K = (q^t - 1) / (q - 1) >= d of them. The report is a point too: one of the
 * s = (q^(t-1) - 1) / (q - 1) that are orthogonal to the value's with the coin's probability p, else one of the K - s
 * others; uniform in each, so the ratio is p / (1 - p) * (K - s) / s. Two points have i = (q^(t-2) - 1) / (q - 1)
 * orthogonal ones in common: another value is supported with q = p i / s + (1 - p)(s - i) / (K - s).
 *
 * The field is the one with the least variance, q near e^eps + 1; error as good as subset selection, in reports of
 * four bytes. */
#include "local/pgr.h"

#include <math.h>

#include "local/kinds.h"
#include "random/uniform.h"

enum { VECTORS_LIMIT = 1 << 26 };

struct geometry {
    uint32_t length;                /* t */
    uint64_t vectors;               /* q^t */
    uint64_t points, plane, common; /* K, s, i */
};

/* The smallest space with `domain` points; false when it has too many vectors. */
static bool geometry_for(uint32_t field_size, uint32_t domain, struct geometry *out)
{
    struct geometry made = {.length = 1, .vectors = field_size, .points = 1};
    while (made.points < domain) {
        made.length++;
        made.common = made.plane;
        made.plane = made.points;
        made.points += made.vectors;
        made.vectors *= field_size;
        if (made.vectors > VECTORS_LIMIT)
            return false;
    }
    *out = made;
    return true;
}

static double other_support(const struct geometry *geometry, double p)
{
    double s = (double)geometry->plane, i = (double)geometry->common, k = (double)geometry->points;
    return p * i / s + (1 - p) * (s - i) / (k - s);
}

static double rare_variance(const struct geometry *geometry, double epsilon)
{
    double s = (double)geometry->plane, k = (double)geometry->points;
    double p = s * exp(epsilon) / (s * exp(epsilon) + k - s);
    double q = other_support(geometry, p);
    return q * (1 - q) / ((p - q) * (p - q));
}

static bool choose_field(struct local_oracle *oracle, struct geometry *geometry)
{
    double best = INFINITY;
    for (uint32_t size = 2; size <= FIELD_LIMIT; size++) {
        struct field field;
        struct geometry tried;
        if (!geometry_for(size, oracle->setting.domain, &tried))
            continue;
        double variance = rare_variance(&tried, oracle->setting.epsilon);
        if (variance < best && field_init(&field, size)) {
            best = variance;
            *geometry = tried;
            oracle->field = field;
        }
    }
    return isfinite(best);
}

static status init(struct local_oracle *oracle, error *why)
{
    struct geometry geometry = {0};
    if (!choose_field(oracle, &geometry))
        return fail(why, DITHER_INVALID, "pgr has no space for %u values within %d counters",
                    oracle->setting.domain, VECTORS_LIMIT);
    oracle->length = geometry.length;
    oracle->size = (uint32_t)geometry.plane;
    oracle->report_bytes = 4;
    oracle->cells = geometry.vectors;
    oracle->coin = coin_for(oracle->setting.epsilon, geometry.plane, geometry.points - geometry.plane);
    oracle->p = coin_probability(oracle->coin);
    oracle->q = other_support(&geometry, oracle->p);
    return DITHER_OK;
}

uint32_t pgr_point(uint32_t field_size, uint32_t value)
{
    uint32_t block = 1;
    while (value >= block) {
        value -= block;
        block *= field_size;
    }
    return block + value;
}

/* The highest power of q in it: the place of the first nonzero coordinate. */
static uint32_t lead(uint32_t field_size, uint32_t vector)
{
    uint32_t place = 1;
    while (vector / place >= field_size)
        place *= field_size;
    return place;
}

bool pgr_is_point(uint32_t field_size, uint32_t vector)
{
    return vector > 0 && vector / lead(field_size, vector) == 1;
}

uint32_t pgr_product(const struct local_oracle *oracle, uint32_t left, uint32_t right)
{
    const struct field *field = &oracle->field;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < oracle->length; i++) {
        sum = field_add(field, sum, field_multiply(field, left % field->size, right % field->size));
        left /= field->size;
        right /= field->size;
    }
    return sum;
}

/* Every coordinate times the inverse of the first nonzero one. */
static uint32_t point_of(const struct local_oracle *oracle, uint32_t vector)
{
    const struct field *field = &oracle->field;
    uint32_t factor = field_invert(field, vector / lead(field->size, vector));
    uint32_t point = 0, place = 1;
    for (uint32_t i = 0; i < oracle->length; i++, vector /= field->size, place *= field->size)
        point += place * field_multiply(field, vector % field->size, factor);
    return point;
}

/* Inserts the digit at the place; `others` are the remaining coordinates as one number. */
static uint32_t insert_digit(uint32_t others, uint32_t place, uint32_t field_size, uint32_t digit)
{
    return others / place * place * field_size + digit * place + others % place;
}

/* The coordinates but one are drawn; that one, where the value's point has a 1, makes the product what it shall be: 0,
 * or any other element alike. Vectors that are orthogonal, without the zero vector, are those whose other coordinates are
 * not all 0; the rest may have any. All vectors of a point are equally likely, so points are. */
static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    const struct field *field = &oracle->field;
    uint32_t point = pgr_point(field->size, value), place = lead(field->size, point);
    uint64_t rest = oracle->cells / field->size, orthogonal = 0, not_zero = 0, any = 0, product = 0;
    TRY(coin_toss(random, oracle->coin, &orthogonal, why));
    TRY(uniform_below(random, rest - 1, &not_zero, why));
    TRY(uniform_below(random, rest, &any, why));
    TRY(uniform_below(random, field->size - 1, &product, why));
    uint32_t others = pick(orthogonal, not_zero + 1, any);
    uint32_t wanted = pick(orthogonal, 0, product + 1);
    uint32_t so_far = pgr_product(oracle, point, insert_digit(others, place, field->size, 0));
    uint32_t digit = field_add(field, wanted, field_negate(field, so_far));
    report_put(report, point_of(oracle, insert_digit(others, place, field->size, digit)));
    return DITHER_OK;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    uint32_t vector = report_number(report);
    return vector < oracle->cells && pgr_is_point(oracle->field.size, vector);
}

static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        if (check(oracle, reports + 4 * i))
            tally->cells[report_number(reports + 4 * i)]++;
        else
            refused++;
    }
    tally->people += count - refused;
    tally->refused += refused;
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    return pgr_decode(oracle, tally->cells, out, why);
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    uint32_t point = pgr_point(oracle->field.size, value);
    bool orthogonal = pgr_product(oracle, point, report_number(report)) == 0;
    uint32_t points = (uint32_t)((oracle->cells - 1) / (oracle->field.size - 1));
    mpq_t among;
    mpq_init(among);
    mpq_set_ui(among, orthogonal ? oracle->size : points - oracle->size, 1);
    coin_fraction(orthogonal ? oracle->coin : coin_opposite(oracle->coin), out);
    mpq_div(out, out, among);
    mpq_clear(among);
}

const struct local_oracle_kind local_pgr = {
    .name = "pgr",
    .summary = "projective geometry response: a point that is rather orthogonal to the value's",
    .options = "",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
