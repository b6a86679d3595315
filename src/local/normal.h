/* normal.h - how many standard deviations an interval of the normal law reaches. */
#ifndef LOCAL_NORMAL_H
#define LOCAL_NORMAL_H

/* The w with P(|Z| <= w) = confidence, 0 < confidence < 1. */
double normal_two_sided(double confidence);

#endif
