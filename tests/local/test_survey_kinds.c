/* Sets, texts and drawn questions in a survey: what is declared is what is read and mistakes are refused by name; answers are read as people
 * write them, and a report is about the set or text that was meant (at an epsilon where a report almost never lies); who is asked what is
 * drawn alike; reports of texts are counted once, stay in the file whatever is folded, and damage is noticed. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "local/kinds.h"
#include "local/person.h"
#include "tests/support/collected.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"
#include "tests/support/survey_text.h"

static const char good[] = "survey: taste\n"
                           "ask: 2\n"
                           "questions:\n"
                           "  tools:\n"
                           "    values: [saw, \"power drill\", rake]\n"
                           "    items: 2\n"
                           "    mechanism: grr\n"
                           "    epsilon: 20\n"
                           "  plant:\n"
                           "    mechanism: prefix\n"
                           "    length: 3\n"
                           "    group_bits: 12\n"
                           "    epsilon: 15\n"
                           "  size: {range: [0, 10], mechanism: duchi, epsilon: 1}\n";

static void what_is_declared_is_what_is_read(void **state)
{
    (void)state;
    struct arena arena;
    const struct survey *survey = NULL;
    error why;
    assert_int_equal(survey_text_parse(good, "taste", &arena, &survey, &why), DITHER_OK);
    const struct survey_question *tools = &survey->questions[0], *plant = &survey->questions[1];
    assert_int_equal(survey->asked, 2);
    assert_near(survey->epsilon, 35, 1e-9); /* the two dearest, whichever are drawn */
    assert_true(survey->epsilon >= 35);
    assert_int_equal(tools->kind, QUESTION_SET);
    assert_int_equal(question_values(tools), 3);
    assert_int_equal(tools->oracle.setting.domain, 5); /* three values and two dummies */
    assert_near(question_power(tools), 2 * local_oracle_power(&tools->oracle), 0);
    assert_int_equal(plant->kind, QUESTION_TEXT);
    assert_string_equal(question_mechanism(plant), "prefix");
    assert_int_equal(plant->prefix.setting.length, 3);
    assert_int_equal(plant->prefix.groups, 2);
    assert_int_equal(question_cells(plant), 0);
    arena_free(&arena);
    assert_int_equal(
        survey_text_parse(survey_text_changed(good, "ask: 2\n", ""), "taste", &arena, &survey, &why),
        DITHER_OK);
    assert_int_equal(survey->asked, 3);
    assert_near(survey->epsilon, 36, 1e-9);
    arena_free(&arena);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"ask: 2", "ask: 4", "taste.yaml:2: ask: 4 where there are 3 questions"},
        {"ask: 2", "ask: 0", "taste.yaml:2: ask of the survey must be a whole number from 1"},
        {"items: 2", "items: 0", "taste.yaml:6: items of question tools must be a whole number from 1"},
        {"items: 2", "items: 1e9", "taste.yaml:6: items of question tools must be a whole number"},
        {"rake]", "\"a;b\"]", "has a ; in it"},
        {"mechanism: grr", "mechanism: lgrr\n    permanent: 20",
         "sets are asked once, not again and again with memos"},
        {"length: 3", "length: 49", "taste.yaml:11: length of question plant must be a whole number"},
        {"group_bits: 12", "group_bits: 13", "taste.yaml:12: group_bits of question plant must be"},
        {"length: 3", "domain: 3", "question plant: mechanism prefix has no option domain"},
        {"items: 2", "length: 2", "question tools: mechanism grr has no option length"},
        {"[0, 10]", "[0, 10], items: 2", "question size: mechanism duchi has no option items"},
        {"mechanism: prefix", "mechanism: prefixes", "did you mean \"prefix\"?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        survey_text_refused(survey_text_changed(good, cases[i].old, cases[i].new), "taste", cases[i].message);
}

static void keys_change_with_items_lengths_and_drawing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint64_t key = survey_text_key(good, i);
        assert_true(survey_text_key(survey_text_changed(good, "ask: 2", "ask: 1"), i) != key);
        assert_true(survey_text_key(survey_text_changed(good, "ask: 2\n", ""), i) != key);
        assert_true((survey_text_key(survey_text_changed(good, "items: 2", "items: 3"), i) == key) ==
                    (i != 0));
        assert_true((survey_text_key(survey_text_changed(good, "length: 3", "length: 4"), i) == key) ==
                    (i != 1));
        assert_true((survey_text_key(survey_text_changed(good, "group_bits: 12", "group_bits: 8"), i) ==
                     key) == (i != 1));
    }
    assert_true(survey_text_key(survey_text_changed(good, "ask: 2", "ask: 3"), 0) ==
                survey_text_key(survey_text_changed(good, "ask: 2\n", ""), 0));
}

/* At epsilon 20 grr lies twice in 10^8 reports: what is reported is what was drawn from the set and its padding. */
static void answers_name_sets_as_people_write_them(void **state)
{
    (void)state;
    enum { DRAWS = 300 };
    static const struct {
        const char *answer;
        bool seen[5]; /* saw, power drill, rake, two dummies */
    } cases[] = {
        {"saw", {true, false, false, true, false}},
        {"saw;", {true, false, false, true, false}},
        {";saw;;saw", {true, false, false, true, false}}, /* named again is named once */
        {"rake;power drill", {false, true, true, false, false}},
        {"rake;power drill;saw", {true, true, true, false, false}},
        {";", {false, false, false, true, true}},
    };
    struct arena arena;
    const struct survey *survey = NULL;
    error why;
    assert_int_equal(survey_text_parse(good, "taste", &arena, &survey, &why), DITHER_OK);
    struct random *random = fixed_source(5);
    const struct survey_maker maker = {survey, NULL, random};
    unsigned char report[4];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool seen[5] = {false};
        for (int draw = 0; draw < DRAWS; draw++) {
            assert_int_equal(question_randomise(&survey->questions[0], cases[i].answer, &maker, report, &why),
                             DITHER_OK);
            assert_true(report_number(report) < 5);
            seen[report_number(report)] = true;
        }
        for (int v = 0; v < 5; v++)
            if (seen[v] != cases[i].seen[v])
                fail_msg("\"%s\": %d was %sdrawn", cases[i].answer, v, seen[v] ? "" : "not ");
    }
    static const char *const bad[] = {"shovel", "saw,rake", "saw; rake", "0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(question_randomise(&survey->questions[0], bad[i], &maker, report, &why),
                         DITHER_INVALID);
        assert_null(strstr(why.message, "shovel")); /* the answer is somebody's */
    }
    random_close(random);
    arena_free(&arena);
}

/* A cap of 36 lets one set of epsilon 20 and one text of epsilon 15 through, in either order; a bad answer costs nothing. */
static void sets_and_texts_are_paid_for_before_they_are_reported(void **state)
{
    (void)state;
    struct collected fixture;
    struct random *random = fixed_source(7);
    char path[100];
    unsigned char report[200];
    error why;
    collected_init(&fixture, "");
    collected_declare(&fixture, good);
    for (size_t first = 0; first < 2; first++) {
        struct survey_maker maker = {fixture.survey, NULL, random};
        static const char *const answers[] = {"saw;rake", "oak"};
        const struct survey_question *questions = fixture.survey->questions;
        snprintf(path, sizeof path, "%s/me%zu", fixture.folder, first);
        assert_int_equal(person_create(path, 36, &why), DITHER_OK);
        assert_int_equal(person_open(&maker.person, path, &why), DITHER_OK);
        assert_int_equal(question_randomise(&questions[0], "shovel", &maker, report, &why), DITHER_INVALID);
        assert_near(person_account(maker.person).spent, 0, 0);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(question_randomise(&questions[(first + i) % 2], answers[(first + i) % 2], &maker,
                                                report, &why),
                             DITHER_OK);
        assert_near(person_account(maker.person).spent, 35, 1e-9);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(question_randomise(&questions[i], answers[i], &maker, report, &why),
                             DITHER_REFUSED);
        person_close(maker.person);
    }
    random_close(random);
    collected_free(&fixture);
}

/* Two of three questions: each of the three pairs in a third of the draws, within five standard errors. */
static void questions_are_drawn_alike(void **state)
{
    (void)state;
    enum { DRAWS = 9000 };
    struct arena arena;
    const struct survey *survey = NULL;
    struct random *random = fixed_source(6);
    int pairs[4] = {0};
    error why;
    assert_int_equal(survey_text_parse(good, "taste", &arena, &survey, &why), DITHER_OK);
    for (int draw = 0; draw < DRAWS; draw++) {
        uint32_t chosen[SURVEY_QUESTIONS];
        assert_int_equal(survey_draw(survey, random, chosen, &why), DITHER_OK);
        assert_true(chosen[0] < chosen[1] && chosen[1] < 3);
        pairs[chosen[0] + chosen[1]]++;
    }
    for (int sum = 1; sum <= 3; sum++)
        assert_near(pairs[sum], DRAWS / 3., 5 * sqrt(DRAWS * 2. / 9));
    random_close(random);
    arena_free(&arena);
}

/* ---- Texts in the database ---- */

static const char texts[] = "survey: taste\nperiod: daily\nquestions:\n"
                            "  plant: {mechanism: prefix, length: 3, group_bits: 12, epsilon: 15}\n";

static struct collector *opened(const struct collected *fixture)
{
    struct collector *collector = NULL;
    error why;
    if (collect_open(fixture->survey, &collector, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return collector;
}

/* Reports `first` to `end` of the text; what became of them. */
static struct collect_counts send(const struct collected *fixture, const char *text, uint64_t first,
                                  uint64_t end)
{
    const struct survey_question *plant = &fixture->survey->questions[0];
    struct collector *collector = opened(fixture);
    struct collect_counts counts = {0};
    struct random *random = fixed_source(first + (uint64_t)text[0]);
    error why;
    for (uint64_t id = first; id < end; id++) {
        unsigned char report[200];
        const struct report_head head = {plant->key, COLLECTED_TODAY, id};
        const struct survey_maker maker = {fixture->survey, NULL, random};
        report_head_write(&head, report);
        assert_int_equal(question_randomise(plant, text, &maker, report + REPORT_HEAD, &why), DITHER_OK);
        assert_true(collect_add(collector, report, REPORT_HEAD + question_report_bytes(plant), &counts));
    }
    if (collect_commit(collector, COLLECTED_NOON, &why) != DITHER_OK ||
        collect_fold(collector, 0, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    collect_close(collector);
    random_close(random);
    return counts;
}

static status search(const struct collected *fixture, struct prefix_hitter *hitters,
                     struct prefix_found *found, error *why)
{
    struct collect_view *view = NULL;
    TRY(collect_view_open(fixture->survey, &view, why));
    struct collect_texts source = {view, &fixture->survey->questions[0], COLLECTED_TODAY};
    status result = prefix_find(&(struct prefix_source){collect_texts_replay, &source},
                                &fixture->survey->questions[0].prefix,
                                &(struct prefix_search){.keep = 4, .confidence = .95}, hitters, found, why);
    collect_view_close(view);
    return result;
}

static void texts_are_counted_once_and_stay(void **state)
{
    (void)state;
    struct collected fixture;
    struct prefix_hitter hitters[4];
    struct prefix_found found;
    error why;
    collected_init(&fixture, "");
    collected_declare(&fixture, texts);
    assert_int_equal(send(&fixture, "fig", 0, 600).of[COLLECT_COUNTED], 600);
    assert_int_equal(send(&fixture, "oak", 600, 800).of[COLLECT_COUNTED], 200);
    assert_int_equal(send(&fixture, "yew", 0, 800).of[COLLECT_REPLAYED], 800); /* ids that were seen */
    assert_int_equal(search(&fixture, hitters, &found, &why), DITHER_OK);
    assert_int_equal(found.people, 800);
    assert_int_equal(found.refused, 0);
    assert_int_equal(found.count, 2);
    assert_string_equal(hitters[0].text, "fig");
    assert_string_equal(hitters[1].text, "oak");
    assert_near(hitters[0].estimate.count, 600, 5 * sqrt(hitters[0].estimate.variance));
    assert_near(hitters[1].estimate.count, 200, 5 * sqrt(hitters[1].estimate.variance));
    collected_free(&fixture);
}

static void change_database(const struct collected *fixture, const char *sql)
{
    sqlite3 *database = NULL;
    char path[100];
    snprintf(path, sizeof path, "%s/taste.reports", fixture->folder);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void damaged_texts_are_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *message;
    } cases[] = {
        {"UPDATE kept SET reports = x'00'", "reports of the wrong size"},
        {"UPDATE kept SET reports = zeroblob(length(reports) - 16)", "do not add up"},
        {"UPDATE kept SET reports = x'ffffffff000000000000000000000000'", "do not add up"},
        {"DELETE FROM kept", "do not add up"},
        {"UPDATE kept SET period = 9", "do not add up"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct collected fixture;
        struct prefix_hitter hitters[4];
        struct prefix_found found;
        error why = {0};
        collected_init(&fixture, "");
        collected_declare(&fixture, texts);
        send(&fixture, "fig", 0, 5);
        change_database(&fixture, cases[i].sql);
        if (search(&fixture, hitters, &found, &why) != DITHER_INVALID ||
            strstr(why.message, cases[i].message) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].sql, why.message, cases[i].message);
        collected_free(&fixture);
    }
}

/* As the first version made them. */
static void databases_from_before_there_were_texts_get_what_they_lack(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    uint64_t cells[4];
    error why;
    collected_init(&fixture, "period: daily\n");
    struct collector *collector = opened(&fixture);
    collected_add(collector, &fixture, COLLECTED_TODAY, 1, 2, &counts);
    assert_int_equal(collect_commit(collector, COLLECTED_NOON, &why), DITHER_OK);
    collect_close(collector);
    change_database(&fixture, "DROP TABLE kept; PRAGMA user_version = 1");
    assert_int_equal(collected_people(&fixture, COLLECTED_TODAY, cells), 1); /* read as it is */
    collected_declare(&fixture, "survey: taste\nperiod: daily\nversion: 2\nquestions:\n"
                                "  plant: {mechanism: prefix, length: 3, epsilon: 15}\n");
    assert_int_equal(send(&fixture, "fig", 0, 5).of[COLLECT_COUNTED], 5);
    collected_change(&fixture, "period: daily\n");
    assert_int_equal(collected_people(&fixture, COLLECTED_TODAY, cells), 1);
    collected_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_declared_is_what_is_read),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(keys_change_with_items_lengths_and_drawing),
        cmocka_unit_test(answers_name_sets_as_people_write_them),
        cmocka_unit_test(sets_and_texts_are_paid_for_before_they_are_reported),
        cmocka_unit_test(questions_are_drawn_alike),
        cmocka_unit_test(texts_are_counted_once_and_stay),
        cmocka_unit_test(damaged_texts_are_noticed),
        cmocka_unit_test(databases_from_before_there_were_texts_get_what_they_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
