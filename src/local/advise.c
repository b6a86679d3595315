#include "local/advise.h"

#include <math.h>
#include <stdlib.h>

/* The sum of squared counts when the k-th value has a share proportional to 1/k. */
static double zipf_squares(uint32_t domain, double people)
{
    double sum = 0, squares = 0;
    for (uint32_t k = 1; k <= domain; k++) {
        sum += 1. / k;
        squares += 1. / k / k;
    }
    return people * people * squares / (sum * sum);
}

double local_rare_error(const struct local_oracle *oracle, double people)
{
    double squares = zipf_squares(oracle->setting.domain, people);
    return sqrt(local_oracle_variance(oracle, people, 0, squares)) / people;
}

static int better(const void *left, const void *right)
{
    const struct advice *a = left, *b = right;
    float left_error = (float)a->standard_error,
          right_error = (float)b->standard_error; /* the last digits tie */
    if (left_error < right_error || left_error > right_error)
        return left_error < right_error ? -1 : 1;
    return (a->oracle.report_bytes > b->oracle.report_bytes) -
           (a->oracle.report_bytes < b->oracle.report_bytes);
}

size_t local_advise(uint32_t domain, double epsilon, double people, struct advice out[ADVICE_LIMIT])
{
    const struct local_setting setting = {.domain = domain, .epsilon = epsilon};
    size_t count = 0;
    for (size_t i = 0; count < ADVICE_LIMIT && local_oracle_kind_at(i) != NULL; i++) {
        struct advice *here = &out[count];
        error why;
        if (local_oracle_init(&here->oracle, local_oracle_kind_at(i), &setting, &why) != DITHER_OK)
            continue;
        here->standard_error = local_rare_error(&here->oracle, people);
        count++;
    }
    qsort(out, count, sizeof *out, better);
    return count;
}
