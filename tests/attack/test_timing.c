/* Areas and rank correlations have their textbook values; the timing attack starts its servers, measures both worlds and
 * leaves neither a process nor a file behind. How long answers take on this machine is not asserted: tests share it. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack/attacks.h"
#include "attack/ranks.h"
#include "tests/support/attacked.h"

static void areas_count_pairs_in_order(void **state)
{
    (void)state;
    const double above[] = {3, 5, 7}, below[] = {1, 5};
    /* 3 > 1; 5 > 1, 5 = 5; 7 > 1, 7 > 5; and 3 < 5 */
    assert_near(ranks_area(above, 3, below, 2), 4.5 / 6, 1e-12);
    assert_near(ranks_area(below, 2, above, 3), 1.5 / 6, 1e-12);
    assert_near(ranks_area(above, 3, above, 3), 0.5, 1e-12);
}

static void correlations_are_spearmans(void **state)
{
    (void)state;
    double room[20];
    /* Spearman's own kind of example: IQ and hours of television, rho = -29/165 without ties. */
    const double iq[] = {106, 86, 100, 101, 99, 103, 97, 113, 112, 110};
    const double hours[] = {7, 0, 27, 50, 28, 29, 20, 12, 6, 17};
    assert_near(ranks_correlation(iq, hours, 10, room), -29.0 / 165, 1e-12);
    const double same[] = {1, 1, 1}, up[] = {1, 2, 9}, down[] = {0, -4, -5};
    assert_near(ranks_correlation(same, up, 3, room), 0, 0);
    assert_near(ranks_correlation(up, down, 3, room), -1, 1e-12);
    const double tied[] = {1, 2, 2}, other[] = {1, 2, 3}; /* ranks 1, 2.5, 2.5: cos = 1.5 / sqrt(1.5 * 2) */
    assert_near(ranks_correlation(tied, other, 3, room), 1.5 / sqrt(3), 1e-12);
}

static size_t scratch_directories(const char *place)
{
    size_t count = 0;
    DIR *directory = opendir(place);
    assert_non_null(directory);
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        count += strncmp(entry->d_name, "dither-attack-", 14) == 0;
    closedir(directory);
    return count;
}

static void servers_come_and_go(void **state)
{
    (void)state;
    char place[] = "/tmp/test-timing-XXXXXX";
    if (getenv("DITHER") == NULL)
        skip();
    assert_non_null(mkdtemp(place));
    assert_int_equal(setenv("TMPDIR", place, 1), 0);
    struct attack_result result = attacked(&attack_timing, "1");
    assert_true(result.baseline >= 0 && result.baseline <= 1);
    assert_true(result.dither >= 0 && result.dither <= 1);
    /* No answer leaves before the first tick. */
    assert_true(attacked_fact(&result, "step of 200 ms, milliseconds without the person") >= 199);
    assert_true(attacked_fact(&result, "step of 200 ms, milliseconds with the person") >= 199);
    assert_true(attacked_fact(&result, "coins counted, rank correlation of time and noise") > 0.5);
    assert_int_equal(scratch_directories(place), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    assert_int_equal(rmdir(place), 0);
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_count_pairs_in_order),
        cmocka_unit_test(correlations_are_spearmans),
        cmocka_unit_test(servers_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
