/* release_text.c - a word at a time. */
#include "account/release_text.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const enum release_kind kinds[] = {
    RELEASE_LAPLACE, RELEASE_GAUSSIAN,    RELEASE_DISCRETE_LAPLACE, RELEASE_DISCRETE_GAUSSIAN,
    RELEASE_PURE,    RELEASE_APPROXIMATE, RELEASE_CONCENTRATED,     RELEASE_RANDOMIZED_RESPONSE};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], LONGEST_WORD = 100 };

const char *release_text_kind(size_t index)
{
    return index < KIND_COUNT ? release_kind_name(kinds[index]) : NULL;
}

/* The next word, or false at the end. */
static bool next_word(const char **text, char word[LONGEST_WORD], bool *too_long)
{
    *text += strspn(*text, " \t");
    size_t length = strcspn(*text, " \t");
    if (length == 0)
        return false;
    *too_long = length >= LONGEST_WORD;
    size_t kept = *too_long ? LONGEST_WORD - 1 : length;
    memcpy(word, *text, kept);
    word[kept] = 0;
    *text += length;
    return true;
}

static status read_kind(const char *word, struct release *release, error *why)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(word, release_kind_name(kinds[i])) == 0) {
            release->kind = kinds[i];
            return DITHER_OK;
        }
    return fail(
        why, DITHER_INVALID,
        "\"%.40s\" is no kind of release: laplace, gaussian, discrete-laplace, discrete-gaussian, pure, "
        "approximate, concentrated, randomized-response",
        word);
}

/* Which names a kind knows. */
enum {
    KNOWS_NOISE = 1,
    KNOWS_EPSILON = 2,
    KNOWS_DELTA = 4,
    KNOWS_RHO = 8,
    KNOWS_CHOICES = 16,
};

static unsigned knowledge(enum release_kind kind)
{
    switch (kind) {
    case RELEASE_PURE:
        return KNOWS_EPSILON;
    case RELEASE_APPROXIMATE:
        return KNOWS_EPSILON | KNOWS_DELTA;
    case RELEASE_RANDOMIZED_RESPONSE:
        return KNOWS_EPSILON | KNOWS_CHOICES;
    case RELEASE_CONCENTRATED:
        return KNOWS_RHO;
    default:
        return KNOWS_NOISE;
    }
}

struct field {
    const char *name;
    unsigned known_by; /* 0: all */
    enum number_rounding rounding;
    size_t offset;
};

static const struct field fields[] = {
    {"scale", KNOWS_NOISE, NUMBER_DOWN, offsetof(struct release, scale)},
    {"sigma", KNOWS_NOISE, NUMBER_DOWN, offsetof(struct release, scale)},
    {"sensitivity", KNOWS_NOISE, NUMBER_UP, offsetof(struct release, sensitivity)},
    {"epsilon", KNOWS_EPSILON, NUMBER_UP, offsetof(struct release, epsilon)},
    {"delta", KNOWS_DELTA, NUMBER_UP, offsetof(struct release, delta)},
    {"rho", KNOWS_RHO, NUMBER_UP, offsetof(struct release, rho)},
    {"rate", 0, NUMBER_UP, offsetof(struct release, sampling)},
};

static status read_field(const char *name, const char *value, struct release *release, error *why)
{
    const char *kind = release_kind_name(release->kind);
    error inner;
    if (strcmp(name, "choices") == 0 && (knowledge(release->kind) & KNOWS_CHOICES)) {
        if (number_parse_whole(value, &release->choices, &inner) != DITHER_OK)
            return fail(why, DITHER_INVALID, "%s: choices %.200s", kind, inner.message);
        return DITHER_OK;
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct field *field = &fields[i];
        if (strcmp(name, field->name) != 0 ||
            (field->known_by && !(field->known_by & knowledge(release->kind))))
            continue;
        double *place = (double *)(void *)((char *)release + field->offset);
        if (*place != 0)
            return fail(why, DITHER_INVALID, "%s: %s is given twice", kind, name);
        if (number_parse(value, field->rounding, place, &inner) != DITHER_OK)
            return fail(why, DITHER_INVALID, "%s: %s %.200s", kind, name, inner.message);
        if (!(*place > 0)) /* 0 would read as "not given" */
            return fail(why, DITHER_INVALID, "%s: %s must be above 0", kind, name);
        return DITHER_OK;
    }
    return fail(why, DITHER_INVALID, "%s knows no \"%.40s\"", kind, name);
}

static status read_word(char *word, struct release *release, error *why)
{
    const char *kind = release_kind_name(release->kind);
    char *equals = strchr(word, '=');
    if (equals) {
        *equals = 0;
        return read_field(word, equals + 1, release, why);
    }
    if (word[0] != 'x' || word[1] == 0)
        return fail(why, DITHER_INVALID, "%s: \"%.40s\" is neither NAME=NUMBER nor xCOUNT", kind, word);
    if (release->count != 0)
        return fail(why, DITHER_INVALID, "%s: the count is given twice", kind);
    error inner;
    if (number_parse_whole(word + 1, &release->count, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "%s: the count %.200s", kind, inner.message);
    if (release->count == 0)
        return fail(why, DITHER_INVALID, "%s: the count must be above 0", kind);
    return DITHER_OK;
}

status release_parse(const char *text, struct release *release, error *why)
{
    struct release made = {0};
    char word[LONGEST_WORD];
    bool too_long = false;
    if (!next_word(&text, word, &too_long))
        return fail(why, DITHER_INVALID, "a release is written like \"gaussian sigma=20 x1000\"");
    TRY(read_kind(word, &made, why));
    while (next_word(&text, word, &too_long)) {
        if (too_long)
            return fail(why, DITHER_INVALID, "%s: a word is too long", release_kind_name(made.kind));
        TRY(read_word(word, &made, why));
    }
    *release = made;
    return DITHER_OK;
}

void release_describe(const struct release *release, char *text, size_t size)
{
    char detail[120];
    switch (knowledge(release->kind)) {
    case KNOWS_EPSILON:
        snprintf(detail, sizeof detail, "epsilon %g", release->epsilon);
        break;
    case KNOWS_EPSILON | KNOWS_DELTA:
        snprintf(detail, sizeof detail, "epsilon %g, delta %g", release->epsilon, release->delta);
        break;
    case KNOWS_EPSILON | KNOWS_CHOICES:
        snprintf(detail, sizeof detail, "epsilon %g, %llu choices", release->epsilon,
                 (unsigned long long)release->choices);
        break;
    case KNOWS_RHO:
        snprintf(detail, sizeof detail, "rho %g", release->rho);
        break;
    default: {
        bool gaussian = release->kind == RELEASE_GAUSSIAN || release->kind == RELEASE_DISCRETE_GAUSSIAN;
        int length = snprintf(detail, sizeof detail, "%s %.9g", gaussian ? "sigma" : "scale", release->scale);
        if (release->sensitivity != 1)
            snprintf(detail + length, sizeof detail - (size_t)length, ", sensitivity %g",
                     release->sensitivity);
    }
    }
    char sampled[40] = "";
    if (release->sampling < 1)
        snprintf(sampled, sizeof sampled, ", on a sample of rate %g", release->sampling);
    snprintf(text, size, "%llu x %s, %s%s", (unsigned long long)release->count,
             release_kind_name(release->kind), detail, sampled);
}
