#include "mechanism/wide_noise.h"

#include "random/bernoulli.h"

/* A draw of the higher digits ends at the first failing coin; 2^62 heads in a row would take longer than the
 * sun lasts, so the shift below cannot overflow. */
static status draw_high(const struct geometric *noise, struct random *random, uint64_t *out, error *why)
{
    struct rational scale = noise->scale; /* its numerator fits in 64 bits: geometric_init saw to that */
    struct rational words = {scale.denominator, (uint64_t)scale.numerator, 64 - scale.exponent};
    uint64_t high = 0;
    for (;;) {
        bool more = false;
        TRY(bernoulli_exp(random, words, &more, why));
        if (!more)
            break;
        high++;
    }
    *out = high;
    return DITHER_OK;
}

/* Sign and magnitude are independent; minus zero is drawn again, so that zero does not count twice. */
status wide_noise_draw(const struct geometric *noise, struct random *random, int128_t *out, error *why)
{
    for (;;) {
        uint64_t low = 0, high = 0, sign = 0;
        TRY(geometric_draw_one_sided(noise, random, &low, why));
        TRY(draw_high(noise, random, &high, why));
        TRY(random_word(random, &sign, why));
        int128_t magnitude = (int128_t)(((uint128_t)high << 64) | low);
        if ((sign & 1) == 0) {
            *out = magnitude;
            return DITHER_OK;
        }
        if (magnitude != 0) {
            *out = -magnitude;
            return DITHER_OK;
        }
    }
}

int64_t wide_noise_narrow(int128_t value)
{
    if (value > INT64_MAX)
        return INT64_MAX;
    return value <= INT64_MIN ? INT64_MIN + 1 : (int64_t)value;
}
