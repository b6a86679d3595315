/* pram.h - answers changed by a matrix of probabilities (post-randomisation, PRAM), of which randomised response is the case of
 * two categories.
 *
 * Row i says with what probability category i is reported as each category; rows add to one. Probabilities are kept as whole
 * parts of 2^62, each given number rounded to the nearest (0 stays 0) and the largest of a row taking the remainder; reports are drawn
 * by these parts exactly, and epsilon is that of these parts, rounded up:
 *
 *     epsilon = ln max over i, j, k of P_ik / P_jk, infinite when a 0 stands beside a number that is not 0 in a column.
 *
 * If o are the observed shares of n reports, o = P' pi on average, so pi = (P')^-1 o is unbiased, with
 * Var(pi_j) = (sum_k A_jk^2 o_k - pi_j^2) / n, A = (P')^-1: the noise and the choice of the people asked. */
#ifndef LOCAL_PRAM_H
#define LOCAL_PRAM_H

#include "local/oracle.h"

enum { PRAM_SIZE_LIMIT = 512 };

struct pram {
    size_t size;
    uint64_t *parts; /* size x size, row by row; each row adds to 2^62 */
};

/* `rows` are size x size numbers; each row must add to one within 1e-6. */
status pram_new(struct pram *out, const double *rows, size_t size, error *why) MUST_CHECK;

/* Diagonal e^epsilon / (size - 1 + e^epsilon), all else alike: the matrix with the best diagonal for that epsilon. */
status pram_for_epsilon(struct pram *out, double epsilon, size_t size, error *why) MUST_CHECK;

/* Two categories, Yes then No: the truth with probability `truth`, otherwise Yes with probability `yes`. Warner's coin p is
 * truth = 2p - 1, yes = 1/2; the coin "heads: Yes, tails: the truth" is truth = 1/2, yes = 1. */
struct pram_coin {
    double truth, yes;
};
status pram_response(struct pram *out, struct pram_coin coin, error *why) MUST_CHECK;

void pram_free(struct pram *pram);

double pram_probability(const struct pram *pram, size_t from, size_t to);

/* Never less than the truth; INFINITY when a report can prove something. */
double pram_epsilon(const struct pram *pram);

/* Replaces each value (below size) by its report. On failure all are 0. */
status pram_apply(const struct pram *pram, struct random *random, uint32_t *values, size_t count,
                  error *why) MUST_CHECK;

/* Estimated counts of the true categories, from the counts of the reported ones, with intervals. DITHER_REFUSED for a matrix that is
 * singular or so near to it that the answer would be noise alone; `condition` is set then too. */
status pram_estimate(const struct pram *pram, const double *observed, double confidence,
                     struct local_estimate *out, double *condition, error *why) MUST_CHECK;

/* The counts that make the observed ones most likely, none negative, adding up to the same people: expectation-maximisation from the
 * uniform guess, until a step moves less than 1e-9 of the people or 100000 steps. */
void pram_fit(const struct pram *pram, const double *observed, double *out);

/* The matrices of two categories that keep epsilon, as (P00, P11): the corners of the region, (0,1), (a,a), (1,0), (1-a,1-a) with
 * a = e^epsilon / (1 + e^epsilon). Its area is tanh(epsilon / 2). */
struct pram_region {
    double first[4], second[4];
};
struct pram_region pram_region(double epsilon);

#endif
