/* near.h - doubles that must agree to a stated tolerance; cmocka compares in single precision. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <math.h>

#include "tests/support/test.h"

#define assert_near(actual, expected, tolerance)                                                             \
    do {                                                                                                     \
        double near_actual = (actual), near_expected = (expected);                                           \
        if (!(fabs(near_actual - near_expected) <= (tolerance)))                                             \
            fail_msg("%s is %.15g, not %.15g", #actual, near_actual, near_expected);                         \
    } while (0)

#endif
