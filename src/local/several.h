/* several.h - several questions to one person: is epsilon split over all, or are a few drawn and asked with more each?
 *
 * Of `attributes` questions every person answers `asked`, drawn alike whatever the values, each with epsilon / asked: 1 is sampling,
 * all of them is splitting, Wang et al. 2019 take about epsilon / 2.5 for numbers. What is sent, names of the questions included, is
 * epsilon-private by composition. For one question, with n people, v the variance of one report's value at epsilon / asked
 * and s the variance of the truth among the people (f (1 - f) for a share f),
 *
 *     n Var(mean) = (attributes / asked) (v + s (1 - asked / attributes) n / (n - 1)),
 *
 * when exactly n asked / attributes answer it: noise, and who happened to be asked. (The other way to ask about d numbers at once,
 * the d bits of Duchi, Jordan and Wainwright 2018, varies by about pi/2 d ((e^epsilon + 1) / (e^epsilon - 1))^2 each, always more than one bit about
 * one of them, and is not offered.) */
#ifndef LOCAL_SEVERAL_H
#define LOCAL_SEVERAL_H

#include "local/numeric.h"

enum { LOCAL_ATTRIBUTES_LIMIT = 4096 };

struct local_several {
    uint32_t attributes, asked;
    double epsilon; /* of everything that a person sends */
};

/* 1 <= asked <= attributes <= LOCAL_ATTRIBUTES_LIMIT. */
status local_several_check(const struct local_several *several, error *why) MUST_CHECK;

/* epsilon / asked, rounded so that `asked` of them are surely not more. */
double local_several_each(const struct local_several *several);

/* Draws which ones: `asked` numbers below `attributes`, ascending, every set alike. */
status local_several_draw(const struct local_several *several, struct random *random, uint32_t *chosen,
                          error *why) MUST_CHECK;

/* The formula above, for people -> infinity when `people` is 0. */
struct several_variances {
    double report, truth; /* v and s */
    double people;
};
double local_several_variance(const struct local_several *several, const struct several_variances *variances);

/* The best mechanism for each number of questions asked, with n Var of one question's answer: of the share of a rare value (domain > 0),
 * or of the mean of numbers between -1 and 1 for the worst population (domain = 0). */
struct several_advice {
    uint32_t asked;
    const char *mechanism;
    double variance;
};

/* Fills out[0 .. attributes-1] for asked = 1, 2, ...; where epsilon / asked is too small for a mechanism the variance is infinite. */
void local_several_advise(uint32_t attributes, double epsilon, uint32_t domain, struct several_advice *out);

#endif
