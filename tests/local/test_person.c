/* What a client remembers: memos that are kept, spending that is on the disk before a report, a cap that nothing passes.
 *
 * Files are looked at as text, shortened at every byte, damaged, and written by processes that are killed; a report that somebody
 * saw is always covered by recorded spending. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "local/person.h"
#include "local/person_file.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

enum { TEXT = 1 << 16 };

static char folder[] = "/tmp/dither-person-XXXXXX";
static char path[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/person", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static struct local_lasting survey_of(const char *name, double epsilon, double permanent)
{
    struct local_lasting lasting;
    error why;
    struct local_lasting_setting setting = {.domain = 6, .epsilon = epsilon, .permanent = permanent};
    if (local_lasting_init(&lasting, local_lasting_kind_named(name), &setting, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return lasting;
}

static struct person *begin(double cap)
{
    struct person *person = NULL;
    error why;
    unlink(path);
    assert_int_equal(person_create(path, cap, &why), DITHER_OK);
    assert_int_equal(person_open(&person, path, &why), DITHER_OK);
    return person;
}

static struct person *again(struct person *person)
{
    error why;
    person_close(person);
    if (person_open(&person, path, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return person;
}

static size_t read_text(char text[TEXT])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, TEXT - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

static void write_text(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void report(struct person *person, const struct local_lasting *lasting, uint32_t value,
                   struct random *random, unsigned char *out)
{
    error why;
    if (person_report(person, "mood", lasting, value, random, out, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

static double spent(const struct person *person)
{
    return person_account(person).spent;
}

static void a_memo_is_paid_for_once_and_kept(void **state)
{
    (void)state;
    struct random *random = fixed_source(1);
    unsigned char out[64];
    for (size_t k = 0; local_lasting_kind_at(k) != NULL; k++) {
        const char *name = local_lasting_kind_at(k)->name;
        struct local_lasting lasting = survey_of(name, 1, strcmp(name, "dbitflip") == 0 ? 0 : 2);
        double cost = local_lasting_cost(&lasting);
        struct person *person = begin(100);
        for (int day = 0; day < 20; day++) {
            report(person, &lasting, 3, random, out);
            assert_true(lasting.oracle.kind->check(&lasting.oracle, out));
            assert_near(spent(person), cost, 0);
            if (day % 5 == 0)
                person = again(person);
        }
        assert_near(spent(person), cost, 0);
        for (uint32_t value = 0; value < 6; value++)
            report(person, &lasting, value, random, out);
        assert_true(spent(person) <= cost * lasting.keys); /* never more than all memos */
        size_t memos = person_account(person).memos;
        assert_near(spent(person), cost * (double)memos, 0);
        person = again(person);
        assert_int_equal(person_account(person).memos, memos);
        assert_near(spent(person), cost * (double)memos, 0);
        person_close(person);
    }
    random_close(random);
}

/* dbitflip sends the memo itself: the same one, whatever coins come later. */
static void the_memo_of_old_is_what_is_reported(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("dbitflip", 1, 0);
    unsigned char first[64], later[64];
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct person *person = begin(10);
        struct random *random = fixed_source(seed);
        report(person, &lasting, 2, random, first);
        random_close(random);
        for (uint64_t other = 100; other < 110; other++) {
            person = again(person);
            random = fixed_source(seed + other);
            report(person, &lasting, 2, random, later);
            assert_memory_equal(first, later, lasting.oracle.report_bytes);
            random_close(random);
        }
        person_close(person);
    }
}

static void nothing_passes_the_cap(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("lgrr", 1, 2);
    struct random *random = fixed_source(2);
    unsigned char out[64], zero[64] = {0};
    struct person *person = begin(5);
    error why;
    report(person, &lasting, 0, random, out);
    report(person, &lasting, 1, random, out);
    assert_near(spent(person), 4, 0);
    memset(out, 1, sizeof out);
    assert_int_equal(person_report(person, "mood", &lasting, 2, random, out, &why), DITHER_REFUSED);
    assert_memory_equal(out, zero, lasting.oracle.report_bytes);
    assert_near(spent(person), 4, 0);
    report(person, &lasting, 1, random, out); /* what has a memo is told for ever */
    assert_int_equal(person_spend(person, 1, &why), DITHER_OK);
    assert_int_equal(person_spend(person, 1e-9, &why), DITHER_REFUSED);
    assert_int_equal(person_lower_cap(person, 6, &why), DITHER_INVALID);
    assert_int_equal(person_lower_cap(person, 5, &why), DITHER_INVALID);
    assert_int_equal(person_lower_cap(person, NAN, &why), DITHER_INVALID);
    assert_int_equal(person_lower_cap(person, 3, &why), DITHER_OK);
    person = again(person);
    assert_near(person_account(person).cap, 3, 0);
    assert_int_equal(person_spend(person, 1e-9, &why), DITHER_REFUSED);
    person_close(person);
    assert_int_equal(person_create(path, 100, &why), DITHER_REFUSED);
    random_close(random);
}

/* Another setting of the same survey, or another survey, has memos of its own. */
static void another_setting_is_paid_for_anew(void **state)
{
    (void)state;
    struct local_lasting one = survey_of("ololoha", 1, 2), other = survey_of("ololoha", 1, 3);
    struct random *random = fixed_source(3);
    struct person *person = begin(100);
    unsigned char out[64];
    error why;
    report(person, &one, 0, random, out);
    report(person, &other, 0, random, out);
    assert_near(spent(person), 5, 0);
    assert_int_equal(person_report(person, "food", &one, 0, random, out, &why), DITHER_OK);
    assert_near(spent(person), 7, 0);
    static const char *const bad[] = {"", "a b", "a/b", "a\nspend", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(person_report(person, bad[i], &one, 0, random, out, &why), DITHER_INVALID);
    person_close(person);
    random_close(random);
}

static void a_lost_memo_counts_as_new_spending(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("lsue", 1, 2);
    struct random *random = fixed_source(4);
    struct person *person = begin(100);
    static char text[TEXT];
    unsigned char out[64];
    report(person, &lasting, 5, random, out);
    person_close(person);
    size_t length = read_text(text);
    char *memo = strstr(text, "memo ");
    assert_non_null(memo);
    write_text(text, (size_t)(memo - text)); /* the app's cache was emptied */
    assert_int_equal(length > 0, 1);
    person = NULL;
    error why;
    assert_int_equal(person_open(&person, path, &why), DITHER_OK);
    assert_near(spent(person), 2, 0);
    report(person, &lasting, 5, random, out);
    assert_near(spent(person), 4, 0);
    person_close(person);
    length = read_text(text);
    memo = strstr(text, "memo ");
    memo[strlen("memo mood/0123456789abcdef 5 ")] ^= 1; /* a digit of the memo: its check is wrong now */
    write_text(text, length);
    assert_int_equal(person_open(&person, path, &why), DITHER_OK);
    assert_int_equal(person_account(person).memos, 0);
    report(person, &lasting, 5, random, out);
    assert_near(spent(person), 6, 0);
    person_close(person);
    random_close(random);
}

/* Cut at any byte, the file is refused or tells the spending of its whole lines; and the next report is paid for where its memo is gone. */
static void a_file_cut_anywhere_never_forgets_what_its_lines_say(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("ololoha", 1, 2);
    struct random *random = fixed_source(5);
    struct person *person = begin(100);
    static char text[TEXT];
    unsigned char out[64];
    report(person, &lasting, 5, random, out);
    person_close(person);
    size_t length = read_text(text);
    const char *spend = strstr(text, "spend "), *memo = strstr(text, "memo ");
    size_t paid = (size_t)(strchr(spend, '\n') - text) + 1, kept = (size_t)(strchr(memo, '\n') - text) + 1;
    size_t capped = (size_t)(spend - text);
    assert_true(paid < kept && kept == length);
    for (size_t cut = 0; cut <= length; cut++) {
        error why;
        write_text(text, cut);
        status result = person_open(&person, path, &why);
        assert_int_equal(result, cut < capped ? DITHER_INVALID : DITHER_OK);
        if (result != DITHER_OK)
            continue;
        assert_near(spent(person), cut < paid ? 0 : 2, 0);
        report(person, &lasting, 5, random, out);
        person = again(person);
        assert_near(spent(person), cut < paid || cut == kept ? 2 : 4, 0);
        person_close(person);
    }
    random_close(random);
}

static void a_file_whose_spending_is_damaged_is_refused(void **state)
{
    (void)state;
    static char text[TEXT];
    struct person *person = begin(100);
    error why;
    assert_int_equal(person_spend(person, 1.5, &why), DITHER_OK);
    person_close(person);
    size_t length = read_text(text);
    for (size_t at = 0; at + 1 < length; at++) {
        if (text[at] == '\n')
            continue;
        text[at] ^= 1;
        write_text(text, length);
        text[at] ^= 1;
        if (person_open(&person, path, &why) == DITHER_OK)
            fail_msg("byte %zu was changed, and nobody noticed", at);
    }
    static const char *const bad[] = {"", "dither person 2\n", "dither person 1\n",
                                      "dither person 1\ncap 5\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text(bad[i], strlen(bad[i]));
        assert_int_equal(person_open(&person, path, &why), DITHER_INVALID);
    }
}

/* The disk is full: no report, nothing half-remembered, and nothing more from this client. */
static void no_report_leaves_when_its_spending_cannot_be_written(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("lgrr", 1, 2);
    struct random *random = fixed_source(6);
    static char before[TEXT];
    unsigned char out[64], zero[64] = {0};
    error why;
    for (size_t room = 0; room < 60; room += 7) {
        struct person *person = begin(100);
        size_t length = read_text(before);
        struct rlimit old, small;
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
        small = (struct rlimit){length + room, old.rlim_max};
        signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        memset(out, 1, sizeof out);
        status result = person_report(person, "mood", &lasting, 1, random, out, &why);
        status after = person_spend(person, 1, &why);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(result, DITHER_IO);
        assert_int_equal(after, DITHER_IO);
        assert_memory_equal(out, zero, lasting.oracle.report_bytes);
        person = again(person);
        assert_int_equal(person_account(person).memos, 0);
        report(person, &lasting, 1, random, out);
        person_close(person);
    }
    random_close(random);
}

/* A client spends and tells it, until it is killed. */
static void spend_and_tell(int out)
{
    struct person *person = NULL;
    error why;
    if (person_open(&person, path, &why) != DITHER_OK)
        _exit(1);
    while (person_spend(person, 1, &why) == DITHER_OK)
        if (write(out, "1", 1) != 1)
            _exit(1);
    _exit(0);
}

static void killed_clients_never_reported_what_is_not_recorded(void **state)
{
    (void)state;
    struct person *person = begin(1e6);
    person_close(person);
    size_t told = 0;
    for (int round = 0; round < 12; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            spend_and_tell(ends[1]);
        close(ends[1]);
        char seen[256];
        for (ssize_t got, wanted = 3 * (round + 1); wanted > 0 && (got = read(ends[0], seen, 1)) == 1;
             wanted -= got)
            told++;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (ssize_t got; (got = read(ends[0], seen, sizeof seen)) > 0;)
            told += (size_t)got;
        close(ends[0]);
        error why;
        assert_int_equal(person_open(&person, path, &why), DITHER_OK);
        assert_true(spent(person) >= (double)told);
        assert_true(spent(person) <=
                    (double)told + round + 1); /* at most one a kill was paid for and not told */
        person_close(person);
    }
    assert_true(told > 100);
}

static void spending_is_added_up_without_losing_anything(void **state)
{
    (void)state;
    assert_near(person_sum(2, 2), 4, 0);
    assert_true(person_sum(1, 1e-20) > 1);
    assert_true(person_sum(0.1, 0.2) >= 0.3);
    struct person *person = begin(1);
    error why;
    int times = 0;
    while (times < 20 && person_spend(person, 0.1, &why) == DITHER_OK)
        times++;
    assert_int_equal(times, 9); /* the double next to 0.1 lies above it: ten of them are more than 1 */
    person_close(person);
}

/* Each allocation fails once: nothing is reported that is not paid for, and the next try works. */
static void a_client_without_memory_reports_nothing(void **state)
{
    (void)state;
    struct local_lasting lasting = survey_of("ololoha", 1, 2);
    struct random *random = fixed_source(7);
    unsigned char out[64], zero[64] = {0};
    int failures = 0;
    for (uint64_t n = 1; n < 40; n++) {
        struct person *person = begin(100);
        person_close(person);
        person = NULL;
        error why;
        memset(out, 0, sizeof out);
        memory_fail_at(n);
        status result = person_open(&person, path, &why);
        if (result == DITHER_OK)
            result = person_report(person, "mood", &lasting, 1, random, out, &why);
        bool failed = memory_has_failed();
        memory_fail_at(0);
        person_close(person);
        failures += failed;
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        if (failed)
            assert_memory_equal(out, zero, lasting.oracle.report_bytes);
        assert_int_equal(person_open(&person, path, &why), DITHER_OK);
        report(person, &lasting, 1, random, out);
        assert_true(spent(person) == 2 || spent(person) == 4);
        person_close(person);
    }
    assert_true(failures >= 3);
    random_close(random);
}

static void the_file_is_private(void **state)
{
    (void)state;
    struct stat found;
    struct person *person = begin(1);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    person_close(person);
    error why;
    assert_int_equal(person_create(path, 0, &why), DITHER_INVALID);
    assert_int_equal(person_create(path, INFINITY, &why), DITHER_INVALID);
    assert_int_equal(person_open(&person, "/nowhere/person", &why), DITHER_IO);
    assert_int_equal(person_open(&person, "/dev/null", &why), DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_memo_is_paid_for_once_and_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_memo_of_old_is_what_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_passes_the_cap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_setting_is_paid_for_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lost_memo_counts_as_new_spending, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_cut_anywhere_never_forgets_what_its_lines_say, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_file_whose_spending_is_damaged_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_report_leaves_when_its_spending_cannot_be_written, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(killed_clients_never_reported_what_is_not_recorded, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(spending_is_added_up_without_losing_anything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_client_without_memory_reports_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_file_is_private, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
