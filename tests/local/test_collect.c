/* The collector: every kind of wrong report gets its verdict and is not counted; a report that comes again is counted once, in
 * the same batch, in the next, by another process; periods close for good; limits hold; a version is what it was; what is damaged
 * is noticed. Numbers are counted by hand. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/collected.h"

static struct collector *opened(const struct collected *fixture)
{
    struct collector *collector = NULL;
    error why;
    if (collect_open(fixture->survey, &collector, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return collector;
}

static void commit_at(struct collector *collector, int64_t now)
{
    error why;
    if (collect_commit(collector, now, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

static void fold(struct collector *collector)
{
    error why;
    if (collect_fold(collector, 0, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

static void add_bytes(struct collector *collector, const unsigned char *report, size_t bytes,
                      struct collect_counts *counts)
{
    assert_true(collect_add(collector, report, bytes, counts));
}

static void every_wrong_report_has_its_verdict(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0}, kept = {0};
    unsigned char report[100] = {0};
    collected_init(&fixture, "");
    struct collector *collector = opened(&fixture);
    size_t size = collected_report(&fixture, 0, 1, 3, report);
    add_bytes(collector, report, size, &counts);     /* counted */
    add_bytes(collector, report, 20, &counts);       /* malformed: no head */
    add_bytes(collector, report, 0, &counts);        /* malformed */
    add_bytes(collector, report, size - 1, &counts); /* length */
    add_bytes(collector, report, size + 1, &counts); /* length */
    add_bytes(collector, report, 21, &counts);       /* length: nothing behind the head */
    collected_report(&fixture, 0, 2, 4, report);
    add_bytes(collector, report, size, &counts); /* range: values are 0 to 3 */
    collected_report(&fixture, 0, 3, UINT32_MAX, report);
    add_bytes(collector, report, size, &counts); /* range */
    collected_report(&fixture, 1, 4, 0, report);
    add_bytes(collector, report, size, &counts); /* period: the survey is asked once */
    collected_report(&fixture, 0, 5, 0, report);
    report[0] = 2;
    add_bytes(collector, report, size, &counts); /* malformed: another form */
    report[0] = 1;
    report[1] ^= 1;
    add_bytes(collector, report, size, &counts); /* survey: a key that nobody has */
    const struct report_head hobby = {fixture.survey->questions[1].key, 0, 6};
    report_head_write(&hobby, report);
    report[21] = 0xff;
    report[22] = 0x08;                         /* 11 bits: the twelfth must not be set */
    add_bytes(collector, report, 23, &counts); /* range */
    report[22] = 0x07;
    add_bytes(collector, report, 23, &counts); /* counted */
    commit_at(collector, COLLECTED_NOON);
    const uint64_t wanted[COLLECT_VERDICTS] = {
        [COLLECT_COUNTED] = 2, [COLLECT_MALFORMED] = 3, [COLLECT_SURVEY] = 1,
        [COLLECT_LENGTH] = 3,  [COLLECT_RANGE] = 3,     [COLLECT_PERIOD] = 1,
    };
    for (int i = 0; i < COLLECT_VERDICTS; i++)
        assert_int_equal(counts.of[i], wanted[i]);
    collect_close(collector);
    struct collect_view *view = NULL;
    error why;
    assert_int_equal(collect_view_open(fixture.survey, &view, &why), DITHER_OK);
    assert_int_equal(collect_view_refused(view, &kept, &why), DITHER_OK);
    for (int i = COLLECT_REPLAYED; i < COLLECT_VERDICTS; i++)
        assert_int_equal(kept.of[i], wanted[i]);
    collect_view_close(view);
    uint64_t cells[4];
    assert_int_equal(collected_people(&fixture, 0, cells), 1);
    assert_int_equal(cells[3], 1);
    collected_free(&fixture);
}

static void lines_are_hexadecimal_and_nothing_else(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "0", "zz", "01 23", "0X", " ", "AB"};
    struct collected fixture;
    struct collect_counts counts = {0};
    unsigned char report[COLLECTED_REPORT];
    char line[4 * COLLECTED_REPORT + 1];
    collected_init(&fixture, "");
    struct collector *collector = opened(&fixture);
    size_t size = collected_report(&fixture, 0, 1, 2, report);
    for (size_t i = 0; i < size; i++)
        snprintf(line + 2 * i, 3, "%02x", report[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(collect_add_line(collector, bad[i], strlen(bad[i]), &counts));
    assert_int_equal(counts.of[COLLECT_MALFORMED], sizeof bad / sizeof bad[0]);
    assert_true(collect_add_line(collector, line, 2 * size, &counts));
    memset(line + 2 * size, '0', 2 * size);
    assert_true(collect_add_line(collector, line, 4 * size, &counts)); /* twice as long */
    assert_int_equal(counts.of[COLLECT_LENGTH], 1);
    commit_at(collector, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_COUNTED], 1);
    collect_close(collector);
    collected_free(&fixture);
}

/* 1000 reports, three times over: twice in one batch, folded, then again by a collector that starts anew. */
static void a_report_is_counted_once_however_often_it_comes(void **state)
{
    (void)state;
    struct collected fixture;
    uint64_t cells[4];
    collected_init(&fixture, "");
    for (int round = 0; round < 2; round++) {
        struct collect_counts counts = {0};
        struct collector *collector = opened(&fixture);
        for (int twice = 0; twice < 2 - round; twice++)
            for (uint64_t i = 0; i < 1000; i++)
                collected_add(collector, &fixture, 0, i * UINT64_C(0x9e3779b97f4a7c15), (uint32_t)i % 4,
                              &counts);
        commit_at(collector, COLLECTED_NOON);
        assert_int_equal(counts.of[COLLECT_COUNTED], round == 0 ? 1000 : 0);
        assert_int_equal(counts.of[COLLECT_REPLAYED], 1000);
        assert_int_equal(collected_people(&fixture, 0, cells), 1000); /* also while they wait to be folded */
        fold(collector);
        assert_int_equal(collected_people(&fixture, 0, cells), 1000);
        collect_close(collector);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(cells[i], 250);
    collected_free(&fixture);
}

/* Daily: yesterday's, today's and tomorrow's are taken. Two days later yesterday's is over and its ids are gone; when the clock
 * goes back it stays over, so that nothing can be counted twice. */
static void a_period_that_is_over_stays_over(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    uint64_t cells[4];
    collected_init(&fixture, "period: daily\n");
    struct collector *collector = opened(&fixture);
    for (int day = -2; day <= 2; day++)
        collected_add(collector, &fixture, COLLECTED_TODAY + day, 77, 0, &counts);
    commit_at(collector, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_COUNTED], 3);
    assert_int_equal(counts.of[COLLECT_PERIOD], 2);
    collected_add(collector, &fixture, COLLECTED_TODAY - 1, 77, 0, &counts);
    commit_at(collector, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_REPLAYED], 1);
    for (int back = 0; back < 2; back++) {
        collected_add(collector, &fixture, COLLECTED_TODAY - 1, 77, 0, &counts);
        commit_at(collector, COLLECTED_NOON + (back == 0 ? 2 * COLLECTED_DAY : 0));
        assert_int_equal(counts.of[COLLECT_PERIOD], 3 + back);
    }
    collected_add(collector, &fixture, COLLECTED_TODAY, 77, 0, &counts);
    commit_at(collector, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_PERIOD], 5); /* closed by the leap forward */
    fold(collector);
    assert_int_equal(collected_people(&fixture, COLLECTED_TODAY - 1, cells), 1);
    assert_int_equal(collected_people(&fixture, COLLECTED_TODAY, cells), 1);
    collect_close(collector);
    collected_free(&fixture);
}

static int64_t ask_database(const struct collected *fixture, const char *sql)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(fixture->survey->database, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    int64_t number = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}

/* What is kept does not grow with days: ids of three periods, no report that was folded. */
static void ids_and_reports_are_forgotten(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    collected_init(&fixture, "period: daily\n");
    struct collector *collector = opened(&fixture);
    for (int day = 0; day < 8; day++) {
        for (uint64_t i = 0; i < 100; i++)
            collected_add(collector, &fixture, COLLECTED_TODAY + day, i, 1, &counts);
        commit_at(collector, COLLECTED_NOON + day * COLLECTED_DAY);
    }
    assert_int_equal(counts.of[COLLECT_COUNTED], 800);
    assert_int_equal(ask_database(&fixture, "SELECT count(*) FROM seen"), 200);
    assert_int_equal(ask_database(&fixture, "SELECT count(*) FROM pending"), 8);
    fold(collector);
    assert_int_equal(ask_database(&fixture, "SELECT count(*) FROM pending"), 0);
    assert_int_equal(ask_database(&fixture, "SELECT sum(people) FROM tally"), 800);
    collect_close(collector);
    collected_free(&fixture);
}

static void the_limit_holds_and_retries_are_still_known(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    uint64_t cells[4];
    collected_init(&fixture, "limit: 10\n");
    struct collector *collector = opened(&fixture);
    for (uint64_t i = 0; i < 8; i++)
        collected_add(collector, &fixture, 0, i, 0, &counts);
    commit_at(collector, COLLECTED_NOON);
    for (uint64_t i = 0; i < 16; i++)
        collected_add(collector, &fixture, 0, i, 0, &counts);
    commit_at(collector, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_COUNTED], 10);
    assert_int_equal(counts.of[COLLECT_REPLAYED], 8);
    assert_int_equal(counts.of[COLLECT_FULL], 6);
    assert_int_equal(collected_people(&fixture, 0, cells), 10);
    collect_close(collector);
    collected_free(&fixture);
}

static void refused_open(const struct collected *fixture, status wanted, const char *message)
{
    struct collector *collector = NULL;
    error why;
    assert_int_equal(collect_open(fixture->survey, &collector, &why), wanted);
    if (strstr(why.message, message) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, message);
}

/* Reports that wait when version 2 begins are counted as what they were; later ones of version 1 are refused as such. */
static void a_version_is_what_it_was(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    uint64_t cells[4];
    unsigned char old[COLLECTED_REPORT];
    error why;
    collected_init(&fixture, "version: 1\n");
    struct collector *first = opened(&fixture);
    collected_add(first, &fixture, 0, 1, 2, &counts);
    commit_at(first, COLLECTED_NOON);
    collected_report(&fixture, 0, 2, 2, old);
    const struct survey *version_1 = fixture.survey;
    collected_change(&fixture, "version: 2\n");
    struct collector *second = opened(&fixture);
    assert_true(collect_add(second, old, sizeof old, &counts));
    commit_at(second, COLLECTED_NOON);
    assert_int_equal(counts.of[COLLECT_VERSION], 1);
    assert_true(collect_add(first, old, sizeof old, &counts)); /* the old collector still runs */
    assert_int_equal(collect_commit(first, COLLECTED_NOON, &why), DITHER_REFUSED);
    assert_non_null(strstr(why.message, "collects version 2"));
    collect_close(first);
    collect_close(second);
    assert_int_equal(collected_people(&fixture, 0, cells), 0);
    fixture.survey = version_1;
    assert_int_equal(collected_people(&fixture, 0, cells), 1);
    refused_open(&fixture, DITHER_REFUSED, "collects version 2");
    collected_change(&fixture, "version: 2\nperiod: daily\n");
    refused_open(&fixture, DITHER_REFUSED, "declared otherwise");
    collected_free(&fixture);
}

static void write_over(const struct collected *fixture, off_t from_end, const char *bytes)
{
    int file = open(fixture->survey->database, O_RDWR);
    assert_true(file >= 0);
    off_t size = lseek(file, 0, SEEK_END);
    assert_true(pwrite(file, bytes, strlen(bytes), from_end > size ? 0 : size - from_end) ==
                (ssize_t)strlen(bytes));
    close(file);
}

static void change_database(const struct collected *fixture, const char *sql)
{
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(fixture->survey->database, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void refused_view(const struct collected *fixture, const char *message)
{
    struct collect_view *view = NULL;
    struct local_tally tally;
    error why;
    assert_int_equal(question_tally(&fixture->survey->questions[0], &tally, &why), DITHER_OK);
    status result = collect_view_open(fixture->survey, &view, &why);
    if (result == DITHER_OK)
        result = collect_view_tally(view, &fixture->survey->questions[0], 0, &tally, &why);
    assert_true(result != DITHER_OK);
    if (strstr(why.message, message) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, message);
    collect_view_close(view);
    local_tally_free(&tally);
}

static void damage_is_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *message;
    } cases[] = {
        {"UPDATE tally SET people = people + 1", "do not agree with their digest"},
        {"UPDATE tally SET cells = zeroblob(32)", "do not agree with their digest"},
        {"UPDATE tally SET cells = zeroblob(31)", "counters of the wrong size"},
        {"UPDATE tally SET period = 9", "do not add up"},
        {"DELETE FROM tally", "do not add up"},
        {"INSERT INTO pending (question, period, reports) SELECT question, period, x'0400000000' FROM tally",
         "reports of the wrong size"},
        {"INSERT INTO pending (question, period, reports) SELECT question, period, x'04000000' FROM tally",
         "never taken"},
        {"INSERT INTO pending (question, period, reports) SELECT question, period, x'01000000' FROM tally",
         "do not add up"},
        {"UPDATE state SET survey = 'else'", "has the reports of survey else"},
        {"CREATE TRIGGER swallow BEFORE INSERT ON pending BEGIN SELECT raise(ignore); END", "was altered"},
        {"PRAGMA user_version = 3", "not of this version"},
        {"PRAGMA application_id = 1", "not a database of reports"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct collected fixture;
        struct collect_counts counts = {0};
        collected_init(&fixture, "");
        struct collector *collector = opened(&fixture);
        collected_add(collector, &fixture, 0, 1, 2, &counts);
        commit_at(collector, COLLECTED_NOON);
        fold(collector);
        collect_close(collector);
        change_database(&fixture, cases[i].sql);
        refused_view(&fixture, cases[i].message);
        collected_free(&fixture);
    }
    struct collected fixture;
    collected_init(&fixture, "");
    collect_close(opened(&fixture));
    write_over(&fixture, 1 << 30, "no database any more, but a letter");
    refused_open(&fixture, DITHER_INVALID, "not a database of reports, or is damaged");
    refused_view(&fixture, "not a database of reports, or is damaged");
    collected_free(&fixture);
}

/* As the owner meets them: no file, no folder, no right. */
static void what_cannot_be_opened_says_so(void **state)
{
    (void)state;
    struct collected fixture;
    collected_init(&fixture, "");
    refused_view(&fixture, "cannot be opened");
    collected_change(&fixture, "database: nowhere/taste.reports\n");
    refused_open(&fixture, DITHER_IO, "cannot be opened or written: No such file");
    collected_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wrong_report_has_its_verdict),
        cmocka_unit_test(lines_are_hexadecimal_and_nothing_else),
        cmocka_unit_test(a_report_is_counted_once_however_often_it_comes),
        cmocka_unit_test(a_period_that_is_over_stays_over),
        cmocka_unit_test(ids_and_reports_are_forgotten),
        cmocka_unit_test(the_limit_holds_and_retries_are_still_known),
        cmocka_unit_test(a_version_is_what_it_was),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(what_cannot_be_opened_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
