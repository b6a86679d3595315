/* audit_statistics.h - the arithmetic of an audit: tails, confidence bounds, and what they say about epsilon.
 *
 * A verdict is a probability under the hypothesis that the promise is kept. All tails are summed from their own terms, from the
 * largest down, so that 1e-9 is as exact as 0.5; no normal approximation is used for a bound. */
#ifndef ATTACK_AUDIT_STATISTICS_H
#define ATTACK_AUDIT_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* P(X >= k) and P(X <= k) for a binomial X with n trials of probability p. */
double audit_binomial_at_least(uint64_t n, double p, uint64_t k);
double audit_binomial_at_most(uint64_t n, double p, uint64_t k);
/* Twice the smaller tail, at most 1: how odd k is. */
double audit_binomial_two_sided(uint64_t n, double p, uint64_t k);

/* Clopper and Pearson (1934): with k of n seen, the probability is at least (at most) this, but for one case in 1 / risk. */
double audit_proportion_lower(uint64_t n, uint64_t k, double risk);
double audit_proportion_upper(uint64_t n, uint64_t k, double risk);

/* P(X >= value) for a chi-square X. */
double audit_chi_square_tail(double value, size_t freedom);

/* An event was seen `with` times in n_with answers about data with a person, `without` times in n_without without him. The
 * epsilon of which this convicts a mechanism that claims delta, at `risk`: ln((p - delta) / q) with p and q the confidence
 * bounds at risk / 2 each; 0 where nothing follows. */
struct audit_counts {
    uint64_t with, n_with, without, n_without;
};
double audit_event_epsilon(struct audit_counts counts, double delta, double risk);

/* One answer, many people (Steinke, Nasr, Jagielski 2023, Theorem 5.2): each of m people was in the data by a fair coin of his
 * own, r of the coins were guessed from the answer, v rightly. The probability of at least v if the answer is (epsilon,
 * delta)-private: with Y binomial of r trials of probability e^epsilon / (1 + e^epsilon),
 *     P(Y >= v) + 2 m delta max over i of P(v > Y >= v - i) / i. */
struct audit_guesses {
    uint64_t people, guessed, right;
};
double audit_guesses_probability(struct audit_guesses guesses, double epsilon, double delta);
/* The largest epsilon of which the guesses convict: below it the probability is at most `risk`. */
double audit_guesses_epsilon(struct audit_guesses guesses, double delta, double risk);

#endif
