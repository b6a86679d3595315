/* renyi.c - closed forms, sampling, and what a divergence is worth in other currencies.
 *
 * Under sampling with rate q, removing, at a whole order a: the moment of (1 - q + q r)^a under `without`, r
 * being with / without, is sum over j of binomial(a, j) (1 - q)^(a - j) q^j E[r^j],   E[r^j] = exp((j - 1)
 * D(j)), all terms positive. Adding: the loss -log(1 - q + q r) is at most -log(1 - q); its moment is summed
 * over an upper loss grid, and what the grid leaves out counts with that largest loss. */
#include "account/renyi.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

const double renyi_orders[] = {1.02, 1.04, 1.06, 1.08, 1.1, 1.125, 1.15, 1.2, 1.25, 1.3,  1.4,  1.5,  1.6,
                               1.75, 1.9,  2,    2.25, 2.5, 2.75,  3,    3.5, 4,    4.5,  5,    5.5,  6,
                               6.5,  7,    8,    9,    10,  11,    12,   13,  14,   15,   16,   17,   18,
                               19,   20,   22,   24,   26,  28,    30,   32,  36,   40,   44,   48,   52,
                               56,   60,   64,   72,   80,  88,    96,   112, 128,  144,  160,  192,  224,
                               256,  320,  384,  448,  512, 640,   768,  896, 1024, 1536, 2048, 4096, 8192};
const size_t renyi_order_count = sizeof renyi_orders / sizeof *renyi_orders;

/* Above this order sampling is forgotten: the sum would have too many terms to be worth it. */
enum { LARGEST_SAMPLED_ORDER = 1024 };

/* log(e^a + e^b) */
static double log_add(double a, double b)
{
    double larger = fmax(a, b);
    return isinf(larger) ? larger : larger + log1p(exp(-fabs(a - b)));
}

/* ---- Without sampling: (order - 1) D, rounded up ---- */

static double round_up(double log_moment, double order)
{
    return fmax(0, log_moment + 16 * DBL_EPSILON * (1 + fabs(log_moment) + order));
}

static double laplace_exponent(double shift, double order)
{
    double rising = log(order / (2 * order - 1)) + (order - 1) * shift;
    double falling = log((order - 1) / (2 * order - 1)) - order * shift;
    return round_up(log_add(rising, falling), order);
}

static double response_exponent(double epsilon, double order)
{
    return round_up(log_add(order * epsilon, (1 - order) * epsilon) - log_add(0, epsilon), order);
}

/* log of the sum of P e^((order - 1) loss), P being one side and its losses signed accordingly. */
static double atoms_log_moment(const struct loss_law *law, double order, bool with_first)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < law->atom_count; i++)
        largest = fmax(largest, fabs(law->atoms[i].loss));
    for (size_t i = 0; i < law->atom_count; i++) {
        const struct loss_atom *atom = &law->atoms[i];
        double mass = with_first ? atom->with : atom->without, loss = with_first ? atom->loss : -atom->loss;
        sum += mass * exp((order - 1) * (loss - largest));
    }
    double slack = LOSS_ATOM_ERROR + (double)law->atom_count * 4 * DBL_EPSILON;
    return log(sum) + (order - 1) * (largest + law->loss_error + 8 * DBL_EPSILON * largest) + slack;
}

static double listed_exponent(const struct loss_law *law, double order)
{
    if (law->with_only > 0 || law->without_only > 0)
        return INFINITY;
    return round_up(fmax(atoms_log_moment(law, order, true), atoms_log_moment(law, order, false)), order);
}

static double base_exponent(const struct renyi *renyi, double order)
{
    const struct release *base = &renyi->base;
    double shift = nextafter(base->sensitivity / base->scale, INFINITY);
    switch (base->kind) {
    case RELEASE_GAUSSIAN:
    case RELEASE_DISCRETE_GAUSSIAN:
        return (order - 1) * order * shift * shift / 2 * (1 + 8 * DBL_EPSILON);
    case RELEASE_LAPLACE:
        return laplace_exponent(shift, order);
    case RELEASE_PURE:
    case RELEASE_APPROXIMATE:
        return response_exponent(base->epsilon, order);
    case RELEASE_CONCENTRATED:
        return (order - 1) * order * base->rho * (1 + 4 * DBL_EPSILON);
    case RELEASE_RANDOMIZED_RESPONSE:
    case RELEASE_DISCRETE_LAPLACE:
    case RELEASE_PAIR:
        return listed_exponent(&renyi->law, order);
    }
    return INFINITY;
}

static bool needs_list(enum release_kind kind)
{
    return kind == RELEASE_RANDOMIZED_RESPONSE || kind == RELEASE_DISCRETE_LAPLACE || kind == RELEASE_PAIR;
}

/* ---- With sampling ---- */

/* The grid need not be fine: its losses lie between those of a far tail and -log(1 - q). */
static status prepare_adding(struct renyi *renyi, error *why)
{
    struct loss_law law;
    struct pieces pieces = {0};
    TRY(loss_law_init(&law, &renyi->base, 1e-40, why));
    struct loss_range range = loss_law_range(&law, 1e-20);
    double width = sampled_loss(range.upper, renyi->sampling) - sampled_loss(range.lower, renyi->sampling);
    struct pieces_wish wish = {renyi->sampling, LOSS_ADD, fmax(width / 4096, 1e-12), 1e-20};
    status result = pieces_cut(&pieces, &law, wish, why);
    if (result == DITHER_OK)
        result = loss_grid_upper(&renyi->adding, &pieces, wish.step, why);
    pieces_clear(&pieces);
    loss_law_clear(&law);
    return result;
}

/* (j - 1) D(j) in the one direction that removing needs; the other kinds are their own mirror image. */
static double removing_moment(const struct renyi *renyi, double order)
{
    if (renyi->base.kind != RELEASE_PAIR)
        return base_exponent(renyi, order);
    return renyi->law.with_only > 0 ? INFINITY : round_up(atoms_log_moment(&renyi->law, order, true), order);
}

static status prepare_sampling(struct renyi *renyi, error *why)
{
    /* Long lists make each moment dear; high orders matter little for them. */
    renyi->exponent_count = renyi->law.atom_count > 4096 ? 66 : LARGEST_SAMPLED_ORDER + 2;
    renyi->exponents = memory_allocate(renyi->exponent_count * sizeof *renyi->exponents);
    if (!renyi->exponents)
        return fail(why, DITHER_NO_MEMORY, "no memory for Renyi divergences");
    for (size_t j = 2; j < renyi->exponent_count; j++)
        renyi->exponents[j] = removing_moment(renyi, (double)j);
    return prepare_adding(renyi, why);
}

/* (order - 1) D for removing, at a whole order. */
static double removing_exponent(const struct renyi *renyi, size_t order)
{
    if (order < 2)
        return 0;
    double a = (double)order, log_rate = log(renyi->sampling), log_rest = log1p(-renyi->sampling);
    double sum = a * log_rest, log_binomial = 0;
    for (size_t j = 1; j <= order; j++) {
        log_binomial += log((a - (double)j + 1) / (double)j);
        sum = log_add(sum,
                      log_binomial + (a - (double)j) * log_rest + (double)j * log_rate + renyi->exponents[j]);
    }
    return fmax(0, sum + a * 16 * DBL_EPSILON * (4 + fabs(sum) + a + fabs(log_rate)));
}

static double adding_exponent(const struct renyi *renyi, double order)
{
    double moment = loss_grid_cumulant(&renyi->adding, order - 1).value, left_out = renyi->adding.infinity;
    double beyond = left_out > 0 ? log(left_out) - (order - 1) * log1p(-renyi->sampling) : -INFINITY;
    return fmax(0, log_add(moment, beyond) + 1e-12);
}

static double sampled_exponent(const struct renyi *renyi, double order)
{
    double below = floor(order), plain = base_exponent(renyi, order);
    if (below + 1 >= (double)renyi->exponent_count)
        return plain;
    double lower = removing_exponent(renyi, (size_t)below);
    double upper = order > below ? removing_exponent(renyi, (size_t)below + 1) : lower;
    double removing = (lower + (order - below) * (upper - lower)) * (1 + 8 * DBL_EPSILON);
    return fmin(plain, fmax(removing, adding_exponent(renyi, order)));
}

/* ---- The curve ---- */

status renyi_init(struct renyi *renyi, const struct release *release, error *why)
{
    struct renyi made = {.base = *release, .sampling = release->sampling};
    made.base.sampling = 1;
    if (made.base.kind == RELEASE_APPROXIMATE)
        made.base.delta = 0;
    status result = DITHER_OK;
    if (needs_list(made.base.kind))
        result = loss_law_init(&made.law, &made.base, 1e-40, why);
    if (result == DITHER_OK && made.sampling < 1)
        result = prepare_sampling(&made, why);
    if (result != DITHER_OK) {
        renyi_clear(&made);
        return result;
    }
    *renyi = made;
    return DITHER_OK;
}

void renyi_clear(struct renyi *renyi)
{
    loss_law_clear(&renyi->law);
    loss_grid_clear(&renyi->adding);
    memory_release(renyi->exponents, 0);
    *renyi = (struct renyi){0};
}

double renyi_divergence(const struct renyi *renyi, double order)
{
    double exponent = renyi->sampling < 1 ? sampled_exponent(renyi, order) : base_exponent(renyi, order);
    return exponent / (order - 1) * (1 + 2 * DBL_EPSILON);
}

/* ---- Other currencies ---- */

/* D is increasing, so on [a, b] D(alpha) / alpha <= D(b) / a. Beyond epsilon / rho it can no longer matter.
 */
static double search_rho(const struct renyi *renyi, double epsilon)
{
    double largest = 0, ratio = 1.0005;
    for (double order = 1; largest == 0 || epsilon / order > largest; order *= ratio)
        largest = fmax(largest, renyi_divergence(renyi, order * ratio) / order);
    return fmin(largest, epsilon * epsilon / 2) * (1 + 4 * DBL_EPSILON);
}

static status pure_rho(const struct release *plain, double *rho, error *why)
{
    double epsilon = release_pure_epsilon(plain);
    *rho = epsilon * epsilon / 2 * (1 + 4 * DBL_EPSILON); /* Bun and Steinke 2016, Proposition 1.4 */
    bool long_list = plain->kind == RELEASE_PAIR || plain->kind == RELEASE_DISCRETE_LAPLACE;
    if (isinf(epsilon) || long_list || epsilon < 1e-4) /* little to gain */
        return DITHER_OK;
    struct renyi renyi;
    TRY(renyi_init(&renyi, plain, why));
    *rho = search_rho(&renyi, epsilon);
    renyi_clear(&renyi);
    return DITHER_OK;
}

status renyi_rho(const struct release *release, double *rho, error *why)
{
    struct release plain = *release;
    plain.sampling = 1;
    plain.delta = 0;
    if (plain.kind == RELEASE_CONCENTRATED) {
        *rho = plain.rho;
        return DITHER_OK;
    }
    if (plain.kind == RELEASE_GAUSSIAN || plain.kind == RELEASE_DISCRETE_GAUSSIAN) {
        double shift = nextafter(plain.sensitivity / plain.scale, INFINITY);
        *rho = shift * shift / 2 * (1 + 4 * DBL_EPSILON);
        return DITHER_OK;
    }
    double found;
    TRY(pure_rho(&plain, &found, why));
    plain.sampling = release->sampling;
    double sampled = release_pure_epsilon(&plain);
    *rho = fmin(found, sampled * sampled / 2 * (1 + 4 * DBL_EPSILON));
    return DITHER_OK;
}

double renyi_epsilon(double order, double divergence, double delta)
{
    double epsilon = divergence + log1p(-1 / order) - (log(delta) + log(order)) / (order - 1);
    return fmax(0, epsilon + 16 * DBL_EPSILON * (1 + fabs(divergence) + fabs(log(delta)) / (order - 1)));
}

double renyi_group_divergence(double order, double divergence, unsigned doublings)
{
    bool defined = order / ldexp(1, (int)doublings) >= 2;
    return defined ? divergence * pow(3, doublings) * (1 + 8 * DBL_EPSILON) : INFINITY;
}
