#include "random/geometric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "random/bernoulli.h"
#include "random/geometric_cuts.h"

/* Draws are made in lots, so that one take of random words and one pass over the constants serve many. A
 * lot's words must fit into one take: 29 * 128 < 4096. */
enum { LOT = 128 };

status geometric_init(struct geometric *geometric, struct rational scale, error *why)
{
    assert(scale.numerator <= UINT64_MAX);
    struct rational least = {1, 1, GEOMETRIC_SCALE_LOW}, most = {1, 1, GEOMETRIC_SCALE_HIGH};
    if (rational_compare(scale, least) < 0 || rational_compare(scale, most) > 0)
        return fail(why, DITHER_INVALID, "a noise scale of %g is outside what can be drawn, 2^-20 to 2^50",
                    rational_to_double(scale, MPFR_RNDN));
    struct geometric made = {.scale = scale};
    int digits = geometric_cuts_digits(scale);
    made.digits = digits + 1;
    assert(made.digits <= GEOMETRIC_DIGITS);
    mpfr_t cut;
    mpfr_init2(cut, 64);
    for (int entry = 0; entry < made.digits; entry++)
        for (int which = 0; which < 3; which++) {
            geometric_cut_floor(scale, digits, entry, which, 64, cut);
            made.cut[entry][which] = mpfr_get_uj(cut, MPFR_RNDN);
        }
    mpfr_clear(cut);
    *geometric = made;
    return DITHER_OK;
}

/* ---- The rare draws that the first 64 bits leave open ---- */

/* The digit of a word that equals a cut: more words are drawn until the number that they spell is off every
 * cut. */
static status settle_digit(const struct geometric *geometric, struct random *random, int entry, uint64_t word,
                           uint64_t *digit, error *why)
{
    mpfr_t drawn, part, cut;
    mpfr_inits2(64, drawn, part, cut, (mpfr_ptr)0);
    mpfr_set_uj(drawn, word, MPFR_RNDN);
    status result = DITHER_OK;
    bool tied = true;
    for (long bits = 64; tied; bits += 64) {
        if (bits > 64) {
            result = random_word(random, &word, why);
            if (result != DITHER_OK)
                break;
            mpfr_prec_round(drawn, bits, MPFR_RNDN);
            mpfr_mul_2ui(drawn, drawn, 64, MPFR_RNDN);
            mpfr_set_uj(part, word, MPFR_RNDN);
            mpfr_add(drawn, drawn, part, MPFR_RNDN); /* exact: a whole number of `bits` bits */
            mpfr_set_prec(cut, bits);
        }
        uint64_t reached = 0;
        tied = false;
        for (int which = 0; which < 3; which++) {
            geometric_cut_floor(geometric->scale, geometric->digits - 1, entry, which, bits, cut);
            int order = mpfr_cmp(drawn, cut);
            tied |= order == 0;
            reached += order > 0;
        }
        *digit = reached;
    }
    mpfr_clears(drawn, part, cut, (mpfr_ptr)0);
    return result;
}

/* The variable is at least 4^digits; how many times that is again geometric, with the same carry probability.
 */
static status carry(const struct geometric *geometric, struct random *random, uint64_t *value, error *why)
{
    struct rational size = {1, 1, 2 * (geometric->digits - 1)};
    struct rational x = rational_divide_integer(1, geometric->scale);
    x.exponent += size.exponent;
    bool again = true;
    while (again) {
        *value += UINT64_C(1) << size.exponent;
        TRY(bernoulli_exp(random, x, &again, why));
    }
    return DITHER_OK;
}

/* One draw from its words, slowly: used when some word is tied with a cut or a carry is due. The one-sided
 * value and whether it is to be complemented are told apart, for a value of 2^63 or more looks like a
 * complemented one. */
static status draw_exactly(const struct geometric *geometric, struct random *random, const uint64_t *words,
                           size_t stride, uint64_t *one_sided, bool *negative, error *why)
{
    uint64_t own[GEOMETRIC_DIGITS]; /* the words leave their buffer when more are drawn */
    for (int entry = 0; entry < geometric->digits; entry++)
        own[entry] = words[(size_t)entry * stride];
    uint64_t value = 0, lead = 0;
    for (int entry = geometric->digits - 1; entry >= 0; entry--) {
        TRY(settle_digit(geometric, random, entry, own[entry], &lead, why));
        if (entry > 0)
            value |= lead << (2 * (entry - 1));
    }
    if (lead == LEAD_NEGATIVE_CARRY || lead == LEAD_POSITIVE_CARRY)
        TRY(carry(geometric, random, &value, why));
    *one_sided = value;
    *negative = lead <= LEAD_NEGATIVE;
    return DITHER_OK;
}

/* ---- The common draws ---- */

/* The loop below is compiled once for any x86-64 and once with 256-bit vectors; the loader picks. Not under
 * the sanitizers, whose start-up does not know of such functions. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                            \
    !defined(__SANITIZE_THREAD__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* Reads `lanes` draws from digit-major words: no branch and no address depends on a word. `open` gets a
 * non-zero mark for each draw that some word leaves open. Because a tie with the first or last cut of the
 * leading entry is the only way to a carry (its probability is below 2^-64), the lead is here only a sign. */
FOR_EACH_PROCESSOR
static void draw_lanes(const struct geometric *geometric, const uint64_t *restrict words, size_t lanes,
                       uint64_t *restrict value, uint64_t *restrict open)
{
    const uint64_t sign = geometric->cut[0][1];
    const uint64_t low = geometric->cut[0][0], high = geometric->cut[0][2];
    for (size_t lane = 0; lane < lanes; lane++) {
        uint64_t word = words[lane];
        value[lane] = -(uint64_t)(word < sign); /* all ones when negative: complement what follows */
        open[lane] = (word == sign) | (word <= low) | (word >= high);
    }
    for (int entry = 1; entry < geometric->digits; entry++) {
        const uint64_t first = geometric->cut[entry][0];
        const uint64_t second = geometric->cut[entry][1];
        const uint64_t third = geometric->cut[entry][2];
        const int shift = 2 * (entry - 1);
        const uint64_t *restrict column = words + (size_t)entry * lanes;
        for (size_t lane = 0; lane < lanes; lane++) {
            uint64_t word = column[lane];
            uint64_t digit = (uint64_t)(word > first) + (word > second) + (word > third);
            value[lane] ^= digit << shift;
            open[lane] |= (word == first) | (word == second) | (word == third);
        }
    }
}

static status add_lot(const struct geometric *geometric, struct random *random, int64_t *values, size_t lanes,
                      error *why)
{
    uint64_t noise[LOT], open[LOT], any = 0;
    const uint64_t *words = NULL;
    TRY(random_take(random, lanes * (size_t)geometric->digits, &words, why));
    draw_lanes(geometric, words, lanes, noise, open);
    for (size_t lane = 0; lane < lanes; lane++)
        any |= open[lane];
    if (any != 0) {
        uint64_t kept[LOT * GEOMETRIC_DIGITS];
        memcpy(kept, words, lanes * (size_t)geometric->digits * sizeof(uint64_t));
        for (size_t lane = 0; lane < lanes; lane++)
            if (open[lane]) {
                bool negative = false;
                TRY(draw_exactly(geometric, random, kept + lane, lanes, &noise[lane], &negative, why));
                noise[lane] ^= -(uint64_t)negative;
            }
    }
    for (size_t lane = 0; lane < lanes; lane++)
        values[lane] = (int64_t)((uint64_t)values[lane] + noise[lane]);
    return DITHER_OK;
}

status geometric_add(const struct geometric *geometric, struct random *random, int64_t *values, size_t count,
                     error *why)
{
    for (size_t done = 0; done < count; done += LOT) {
        size_t lanes = count - done < LOT ? count - done : LOT;
        status result = add_lot(geometric, random, values + done, lanes, why);
        if (result != DITHER_OK) {
            memset(values, 0, count * sizeof *values);
            return result;
        }
    }
    return DITHER_OK;
}

status geometric_draw(const struct geometric *geometric, struct random *random, int64_t *out, error *why)
{
    int64_t value = 0;
    TRY(add_lot(geometric, random, &value, 1, why));
    *out = value;
    return DITHER_OK;
}

status geometric_draw_one_sided(const struct geometric *geometric, struct random *random, uint64_t *out,
                                error *why)
{
    /* The sign is drawn independently of the digits, so undoing it leaves the one-sided law. */
    const uint64_t *words = NULL;
    uint64_t value = 0, open = 0;
    TRY(random_take(random, (size_t)geometric->digits, &words, why));
    draw_lanes(geometric, words, 1, &value, &open);
    if (words[0] < geometric->cut[0][1])
        value = ~value;
    bool negative = false;
    if (open != 0)
        TRY(draw_exactly(geometric, random, words, 1, &value, &negative, why));
    *out = value;
    return DITHER_OK;
}

size_t geometric_words(const struct geometric *geometric)
{
    return (size_t)geometric->digits;
}

/* ---- The law ---- */

double geometric_mass(const struct geometric *geometric, int64_t k)
{
    double scale = rational_to_double(geometric->scale, MPFR_RNDN);
    return tanh(0.5 / scale) * exp(-fabs((double)k) / scale);
}

double geometric_tail(const struct geometric *geometric, int64_t k)
{
    double scale = rational_to_double(geometric->scale, MPFR_RNDN);
    if (k <= 0)
        return 1 - geometric_tail(geometric, 1 - k);
    return exp(-(double)k / scale) / (1 + exp(-1 / scale));
}

double geometric_width(const struct geometric *geometric, double failure)
{
    /* P(|X| > w) = 2 q^(w+1) / (1 + q). */
    assert(failure > 0 && failure < 1);
    double scale = rational_to_double(geometric->scale, MPFR_RNDU);
    double width = ceil(scale * (log(2 / failure) - log1p(exp(-1 / scale))) - 1);
    return width > 0 ? width : 0;
}

double geometric_half_width(const struct geometric *geometric, double confidence)
{
    assert(confidence > 0 && confidence < 1);
    return geometric_width(geometric, 1 - confidence);
}
