/* The window, the bit, and both.
 *
 * Window. Input i of 0 .. S has the outputs i .. i+w-1 of 0 .. S+w-1 near, the other S far. Near ones share the coin of
 * coin.h for (w, S) alike, far ones the rest: each near one is at most e^epsilon times as likely as each far one, and no
 * other two probabilities occur. With u = output - (S+w-1)/2 and x = i - S/2 the mean of u is x over the near and -w x / S over
 * the far ones, as u adds to 0 over all; so it is b x, b = P - (1 - P) w / S, with P the coin as it is, not as it was meant.
 * Likewise the mean of u^2 is b x^2 + A, A = b (w^2 - 1)/12 + (1 - P) M (M^2 - 1) / (12 S), M = S + w.
 *
 * Bit. Its coin is 2^63 + 2 x h for a whole h, so its mean is linear in x without any rounding, and h is rounded down so that
 * the ends keep epsilon. */
#include "local/numeric_kinds.h"

#include <math.h>

#include "local/kinds.h"
#include "random/uniform.h"

/* ---- Window ---- */

static void set_window(struct local_numeric *numeric, double width)
{
    double steps = numeric->setting.steps, w = fmax(1, nearbyint(width * steps)), outputs = steps + w;
    numeric->window = (uint32_t)w;
    numeric->outputs = numeric->setting.steps + numeric->window;
    numeric->near = coin_for(numeric->setting.epsilon, numeric->window, numeric->setting.steps);
    double far = coin_probability(coin_opposite(numeric->near));
    numeric->gain = coin_probability(numeric->near) - far * w / steps;
    numeric->offset =
        numeric->gain * (w * w - 1) / 12 + far * outputs * (outputs * outputs - 1) / (12 * steps);
}

static status init_piecewise(struct local_numeric *numeric, error *why)
{
    (void)why;
    set_window(numeric, exp(-numeric->setting.epsilon / 2));
    return DITHER_OK;
}

/* Twice the b of the paper: (eps e^eps - e^eps + 1) / (e^eps (e^eps - 1 - eps)), which falls from 1 to 0. */
static status init_wave(struct local_numeric *numeric, error *why)
{
    (void)why;
    double epsilon = numeric->setting.epsilon, odds = exp(epsilon), more = expm1(epsilon);
    set_window(numeric, (epsilon * odds - more) / (odds * (more - epsilon)));
    return DITHER_OK;
}

/* A near and a far output are drawn and one is kept; the far ones are 0 .. S-1 stepped over the window. */
static status draw_window(const struct local_numeric *numeric, uint32_t input, struct random *random,
                          uint32_t *output, error *why)
{
    uint64_t is_near = 0, near = 0, far = 0;
    TRY(coin_toss(random, numeric->near, &is_near, why));
    TRY(uniform_below(random, numeric->window, &near, why));
    TRY(uniform_below(random, numeric->setting.steps, &far, why));
    far += (uint64_t)numeric->window & -(uint64_t)(far >= input);
    *output = pick(is_near, input + near, far);
    return DITHER_OK;
}

static void window_probability(const struct local_numeric *numeric, uint32_t input, uint32_t output,
                               mpq_t out)
{
    bool is_near = output >= input && output < input + numeric->window;
    mpq_t among;
    mpq_init(among);
    mpq_set_ui(among, is_near ? numeric->window : numeric->setting.steps, 1);
    coin_fraction(is_near ? numeric->near : coin_opposite(numeric->near), out);
    mpq_div(out, out, among);
    mpq_clear(among);
}

/* ---- Bit ---- */

static void set_bit(struct local_numeric *numeric)
{
    uint64_t half = (uint64_t)1 << 63;
    numeric->slope = (coin_for(numeric->setting.epsilon, 1, 1) - half) / numeric->setting.steps;
    numeric->bit_value = 0x1p62 / (double)numeric->slope;
    numeric->outputs += 2;
}

static status init_duchi(struct local_numeric *numeric, error *why)
{
    (void)why;
    set_bit(numeric);
    return DITHER_OK;
}

/* Modulo 2^64; the sum itself lies between 0 and 2^64. */
static uint64_t bit_coin(const struct local_numeric *numeric, uint32_t input)
{
    uint64_t twice_x = 2 * (uint64_t)input - numeric->setting.steps;
    return ((uint64_t)1 << 63) + twice_x * numeric->slope;
}

static status draw_bit(const struct local_numeric *numeric, uint32_t input, struct random *random,
                       uint32_t *output, error *why)
{
    uint64_t bit = 0;
    TRY(coin_toss(random, bit_coin(numeric, input), &bit, why));
    *output = (uint32_t)(bit & 1);
    return DITHER_OK;
}

static void bit_probability(const struct local_numeric *numeric, uint32_t input, uint32_t output, mpq_t out)
{
    uint64_t coin = bit_coin(numeric, input);
    coin_fraction(output == 1 ? coin : coin_opposite(coin), out);
}

/* ---- Both ---- */

/* The coin is public: it may be rounded as it likes. Below 0.61 (the paper's constant, where the worst variance of the mixture
 * stops being below the bit's) the bit alone is better, and no window is there that a report could come from. */
static status init_hybrid(struct local_numeric *numeric, error *why)
{
    if (numeric->setting.epsilon > 0.61) {
        TRY(init_piecewise(numeric, why));
        numeric->mix = (uint64_t)ldexp(-expm1(-numeric->setting.epsilon / 2), 64);
    }
    set_bit(numeric);
    return DITHER_OK;
}

static status draw_hybrid(const struct local_numeric *numeric, uint32_t input, struct random *random,
                          uint32_t *output, error *why)
{
    uint64_t windowed = 0;
    uint32_t window = 0, bit = 0;
    TRY(draw_bit(numeric, input, random, &bit, why));
    if (numeric->window > 0) {
        TRY(coin_toss(random, numeric->mix, &windowed, why));
        TRY(draw_window(numeric, input, random, &window, why));
    }
    *output = pick(windowed, window, numeric->outputs - 2 + bit);
    return DITHER_OK;
}

static void hybrid_probability(const struct local_numeric *numeric, uint32_t input, uint32_t output,
                               mpq_t out)
{
    uint32_t windowed = numeric->outputs - 2;
    mpq_t share;
    mpq_init(share);
    coin_fraction(numeric->mix, share);
    if (output < windowed) {
        window_probability(numeric, input, output, out);
    } else {
        bit_probability(numeric, input, output - windowed, out);
        mpz_sub(mpq_numref(share), mpq_denref(share),
                mpq_numref(share)); /* 1 - share, still in lowest terms */
    }
    mpq_mul(out, out, share);
    mpq_clear(share);
}

const struct local_numeric_kind numeric_duchi = {
    .name = "duchi",
    .summary = "one bit, more likely 1 the larger the number",
    .init = init_duchi,
    .randomise = draw_bit,
    .probability = bit_probability,
};

const struct local_numeric_kind numeric_piecewise = {
    .name = "piecewise",
    .summary = "a point near the number rather than far from it, for the mean",
    .init = init_piecewise,
    .randomise = draw_window,
    .probability = window_probability,
};

const struct local_numeric_kind numeric_hybrid = {
    .name = "hybrid",
    .summary = "a bit or a point, by a coin: the least variance of the mean",
    .init = init_hybrid,
    .randomise = draw_hybrid,
    .probability = hybrid_probability,
};

const struct local_numeric_kind numeric_wave = {
    .name = "wave",
    .summary = "square wave: a point near the number, for the whole distribution",
    .init = init_wave,
    .randomise = draw_window,
    .probability = window_probability,
};
