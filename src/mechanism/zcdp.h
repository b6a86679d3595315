/* zcdp.h - what zero-concentrated privacy, rho, is worth in (epsilon, delta).
 *
 * A rho-zCDP release is (epsilon, delta)-private with
 *     delta = inf over a > 1 of  exp((a - 1)(a rho - epsilon)) / (a - 1) * (1 - 1/a)^a
 * (Canonne, Kamath, Steinke 2020, Proposition 7 and Corollary 13). Every a gives a true bound, so only how
 * tight the answer is depends on the search for the best one. All results are rounded against ourselves. */
#ifndef MECHANISM_ZCDP_H
#define MECHANISM_ZCDP_H

/* The least delta, at most 1. rho >= 0, epsilon >= 0. */
double zcdp_delta(double rho, double epsilon);

/* The least epsilon for a rho and a delta in (0, 1); infinite for delta 0 (unless rho is 0). */
double zcdp_epsilon(double rho, double delta);

/* The largest rho that keeps (epsilon, delta); epsilon > 0, delta in [0, 1). */
double zcdp_rho(double epsilon, double delta);

#endif
