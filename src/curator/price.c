/* Sharing out the amount of a question. */
#include "curator/price.h"

#include <assert.h>
#include <math.h>

enum { WEIGHT_BITS = 40 }; /* 65536 weights of 40 bits add up within 64 */

struct order {
    enum ledger_currency currency;
    bool said;             /* the analyst named an amount for the question */
    struct decimal amount; /* of the question, or of what is not fixed */
    struct decimal delta;
    bool delta_said; /* offered for Gaussian noise too */
};

struct decimal *price_amount(struct ledger_cost *cost, enum ledger_currency currency)
{
    return currency == LEDGER_CONCENTRATED ? &cost->rho : &cost->epsilon;
}

const struct price_part *price_part_of(const struct price_release *release, const struct sql_measure *measure)
{
    for (size_t i = 0; i < release->part_count; i++)
        if (release->parts[i].measure == measure)
            return &release->parts[i];
    return NULL;
}

/* ---- What was asked ---- */

static status read_order(const struct sql_options *options, const struct policy_budget *budget,
                         struct order *order, error *why)
{
    bool concentrated = budget->currency == LEDGER_CONCENTRATED;
    if (concentrated && !decimal_is_zero(options->epsilon))
        return fail(why, DITHER_INVALID, "this dataset's budget is in rho: say rho instead of epsilon");
    if (!concentrated && !decimal_is_zero(options->rho))
        return fail(why, DITHER_INVALID, "this dataset's budget is in epsilon: say epsilon instead of rho");
    if (budget->currency == LEDGER_PURE && !decimal_is_zero(options->delta))
        return fail(why, DITHER_INVALID, "this dataset's budget has no delta");
    struct decimal said = concentrated ? options->rho : options->epsilon;
    *order = (struct order){.currency = budget->currency,
                            .said = !decimal_is_zero(said),
                            .amount = decimal_is_zero(said) ? budget->per_question : said,
                            .delta_said = !decimal_is_zero(options->delta)};
    order->delta = order->delta_said ? options->delta : budget->delta_per_question;
    return DITHER_OK;
}

/* ---- The parts ---- */

static status make_parts(struct price_release *priced, enum ledger_currency currency, struct arena *arena,
                         error *why)
{
    const struct sql_release *release = priced->release;
    priced->part_count = release->measure_count + priced->hidden;
    void *parts = NULL;
    TRY(arena_take(arena, priced->part_count * sizeof *priced->parts, &parts, why));
    priced->parts = parts;
    for (size_t i = 0; i < priced->part_count; i++) {
        struct price_part *part = &priced->parts[i];
        part->measure = i < release->measure_count ? &release->measures[i] : NULL;
        price_describe(priced, currency, part);
    }
    return DITHER_OK;
}

static status check_widths(const struct sql_release *release, error *why)
{
    for (size_t i = 0; i < release->measure_count; i++) {
        const struct sql_measure *measure = &release->measures[i];
        size_t width = sql_measure_width(measure);
        if (measure->kind == SQL_MEASURE_QUANTILES && (width < 1 || width > SQL_MOST_CELLS))
            return sql_refuse(why, measure->position, "a quantile is chosen among at most %d values",
                              (int)SQL_MOST_CELLS);
    }
    return DITHER_OK;
}

static status begin_release(const struct sql_release *release, const struct price_facts *facts, size_t index,
                            enum ledger_currency currency, struct arena *arena, struct price_release *out,
                            error *why)
{
    *out = (struct price_release){.release = release,
                                  .same_as = facts->same_as,
                                  .hidden = release->key_count > 0 && release->domain == NULL,
                                  .groups = release->key_count > 0 ? release->max_groups : 1};
    if (!out->hidden && release->key_count > 0 && facts->domain_rows < out->groups)
        out->groups = facts->domain_rows > 0 ? facts->domain_rows : 1;
    if (out->hidden && currency == LEDGER_PURE) {
        fail(why, DITHER_REFUSED,
             "the values of a grouping key are not public, and a pure epsilon budget cannot show such keys: "
             "declare the column's values in the policy, group by a declared range, or use a budget with "
             "delta");
        if (why != NULL)
            why->position = release->position;
        return DITHER_REFUSED;
    }
    TRY(check_widths(release, why));
    return out->same_as == index ? make_parts(out, currency, arena, why) : DITHER_OK;
}

/* ---- Amounts ---- */

struct total {
    struct decimal fixed;
    double relative_largest;
    uint64_t weight; /* of all parts that are not fixed */
    struct price_part *last;
};

static double share_of(const struct price_part *part, enum ledger_currency currency)
{
    return currency == LEDGER_CONCENTRATED ? part->relative : cbrt(part->relative * part->relative);
}

static bool is_fixed(const struct price_part *part)
{
    return part->measure != NULL && !decimal_is_zero(part->measure->epsilon);
}

/* At least 1, so that every part gets something. */
static uint64_t weight_of(const struct price_part *part, enum ledger_currency currency, double largest)
{
    double weight = ldexp(share_of(part, currency) / largest, WEIGHT_BITS);
    return weight < 1 ? 1 : (uint64_t)weight;
}

typedef status (*visit_part)(void *context, struct price_release *release, struct price_part *part,
                             error *why);

static status for_each_part(struct price *price, visit_part visit, void *context, error *why)
{
    for (size_t i = 0; i < price->release_count; i++)
        for (size_t j = 0; j < price->releases[i].part_count; j++)
            TRY(visit(context, &price->releases[i], &price->releases[i].parts[j], why));
    return DITHER_OK;
}

struct sharing {
    const struct order *order;
    struct total total;
    struct decimal rest, left;
};

static status fix_amount(void *context, struct price_release *release, struct price_part *part, error *why)
{
    (void)release;
    struct sharing *sharing = context;
    enum ledger_currency currency = sharing->order->currency;
    if (!is_fixed(part)) {
        sharing->total.relative_largest = fmax(sharing->total.relative_largest, share_of(part, currency));
        return DITHER_OK;
    }
    struct decimal amount = part->measure->epsilon;
    if ((currency == LEDGER_CONCENTRATED && !decimal_half_square(amount, &amount)) ||
        !decimal_add(sharing->total.fixed, amount, &sharing->total.fixed))
        return fail(why, DITHER_INVALID, "the epsilon of an aggregate is too large");
    *price_amount(&part->cost, currency) = amount;
    return DITHER_OK;
}

static status add_weight(void *context, struct price_release *release, struct price_part *part, error *why)
{
    (void)release;
    (void)why;
    struct sharing *sharing = context;
    if (!is_fixed(part)) {
        sharing->total.weight += weight_of(part, sharing->order->currency, sharing->total.relative_largest);
        sharing->total.last = part;
    }
    return DITHER_OK;
}

static status share_out(void *context, struct price_release *release, struct price_part *part, error *why)
{
    (void)release;
    struct sharing *sharing = context;
    enum ledger_currency currency = sharing->order->currency;
    if (is_fixed(part))
        return DITHER_OK;
    uint64_t weight = weight_of(part, currency, sharing->total.relative_largest);
    struct decimal amount = part == sharing->total.last
                                ? sharing->left
                                : decimal_share(sharing->rest, weight, sharing->total.weight);
    sharing->left = decimal_subtract(sharing->left, amount);
    *price_amount(&part->cost, currency) = amount;
    if (decimal_to_double(amount) < 1e-15)
        return fail(why, DITHER_INVALID,
                    "the amount is too small to be shared out over the question's parts");
    return DITHER_OK;
}

/* What is left for the parts that are not fixed. */
static status find_rest(struct sharing *sharing, error *why)
{
    const struct order *order = sharing->order;
    const char *name = order->currency == LEDGER_CONCENTRATED ? "rho" : "epsilon";
    bool free_parts = sharing->total.relative_largest > 0;
    if (free_parts && decimal_is_zero(order->amount))
        return fail(
            why, DITHER_INVALID,
            "say what the question may cost: the policy has no budget.per_question, and no %s is given",
            name);
    sharing->rest = order->amount;
    if (order->said) {
        int order_of = decimal_compare(sharing->total.fixed, order->amount);
        if (order_of > 0 || (free_parts && order_of == 0))
            return fail(why, DITHER_INVALID,
                        "what single aggregates ask for leaves nothing of the question's %s", name);
        sharing->rest = decimal_subtract(order->amount, sharing->total.fixed);
    }
    sharing->left = sharing->rest;
    return DITHER_OK;
}

static status share_amount(struct price *price, const struct order *order, error *why)
{
    struct sharing sharing = {.order = order};
    TRY(for_each_part(price, fix_amount, &sharing, why));
    TRY(find_rest(&sharing, why));
    if (sharing.total.relative_largest == 0)
        return DITHER_OK;
    TRY(for_each_part(price, add_weight, &sharing, why));
    return for_each_part(price, share_out, &sharing, why);
}

/* ---- Delta, and the mechanisms ---- */

struct calibration {
    const struct order *order;
    struct arena *arena;
    uint64_t delta_parts;
    struct decimal delta;
};

static bool wants_delta(const struct order *order, const struct price_part *part)
{
    if (part->kind == PRICE_SELECTION)
        return true;
    return part->kind == PRICE_NUMBER && order->currency == LEDGER_APPROXIMATE && order->delta_said;
}

static status count_delta(void *context, struct price_release *release, struct price_part *part, error *why)
{
    struct calibration *calibration = context;
    if (part->kind == PRICE_SELECTION && decimal_is_zero(calibration->order->delta)) {
        fail(why, DITHER_INVALID,
             "the values of a grouping key are not public: say a delta (the policy has no "
             "budget.delta_per_question), or declare the column's values");
        if (why != NULL)
            why->position = release->release->position;
        return DITHER_INVALID;
    }
    calibration->delta_parts += wants_delta(calibration->order, part);
    return DITHER_OK;
}

static status calibrate(void *context, struct price_release *release, struct price_part *part, error *why)
{
    struct calibration *calibration = context;
    struct decimal delta = wants_delta(calibration->order, part) ? calibration->delta : decimal_zero();
    TRY(price_calibrate(release, part, calibration->order->currency, delta, calibration->arena, why));
    if (!ledger_cost_add(release->cost, part->cost, &release->cost))
        return fail(why, DITHER_INVALID, "the question costs too much to be reckoned with");
    return DITHER_OK;
}

static status calibrate_all(struct price *price, const struct order *order, struct arena *arena, error *why)
{
    struct calibration calibration = {.order = order, .arena = arena};
    TRY(for_each_part(price, count_delta, &calibration, why));
    if (calibration.delta_parts > 0)
        calibration.delta = decimal_share(order->delta, 1, calibration.delta_parts);
    return for_each_part(price, calibrate, &calibration, why);
}

/* The same release again is the same draw. */
static void share_draws(struct price *price)
{
    for (size_t i = 0; i < price->release_count; i++) {
        struct price_release *release = &price->releases[i];
        if (release->same_as == i)
            continue;
        const struct price_release *first = &price->releases[release->same_as];
        release->parts = first->parts;
        release->part_count = first->part_count;
        release->cost = first->cost;
    }
}

static status add_up(struct price *price, error *why)
{
    for (size_t i = 0; i < price->release_count; i++)
        if (price->releases[i].same_as == i &&
            !ledger_cost_add(price->cost, price->releases[i].cost, &price->cost))
            return fail(why, DITHER_INVALID, "the question costs too much to be reckoned with");
    return DITHER_OK;
}

status price_plan(const struct sql_plan *plan, const struct price_facts *facts,
                  const struct policy_budget *budget, struct mechanism_known *known, struct arena *arena,
                  struct price *out, error *why)
{
    struct order order;
    struct price price = {.release_count = plan->release_count, .cost = ledger_cost_zero()};
    void *releases = NULL;
    TRY(read_order(&plan->options, budget, &order, why));
    TRY(arena_take(arena, plan->release_count * sizeof *price.releases, &releases, why));
    price.releases = releases;
    for (size_t i = 0; i < plan->release_count; i++) {
        TRY(begin_release(plan->releases[i], &facts[i], i, budget->currency, arena, &price.releases[i], why));
        price.releases[i].known = known;
    }
    if (plan->release_count > 0) {
        TRY(share_amount(&price, &order, why));
        TRY(calibrate_all(&price, &order, arena, why));
        share_draws(&price);
        TRY(add_up(&price, why));
    }
    *out = price;
    return DITHER_OK;
}
