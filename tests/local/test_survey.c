/* Survey files: what is declared is what is read; every mistake is refused with its line and its key; the key of a question
 * changes with everything that client and collector must agree on, and with nothing else. Periods against the calendar. */
#include <stdio.h>
#include <string.h>

#include "local/survey.h"
#include "tests/support/near.h"
#include "tests/support/survey_text.h"

static const char good[] = "survey: commuting\n"
                           "version: 3\n"
                           "period: monthly\n"
                           "limit: 1e6\n"
                           "questions:\n"
                           "  transport:\n"
                           "    question: How do you get to work?\n"
                           "    values: [walk, \"by bus\", car]\n"
                           "    mechanism: oue\n"
                           "    epsilon: 0.1\n"
                           "  minutes:\n"
                           "    domain: 100\n"
                           "    mechanism: hcms\n"
                           "    epsilon: 0.2\n"
                           "    width: 64\n"
                           "    hashes: 16\n"
                           "    seed: 7\n";

static void a_survey_says_what_it_declares(void **state)
{
    (void)state;
    struct arena arena;
    const struct survey *survey = NULL;
    error why;
    assert_int_equal(survey_text_parse(good, "commuting", &arena, &survey, &why), DITHER_OK);
    assert_string_equal(survey->name, "commuting");
    assert_int_equal(survey->version, 3);
    assert_int_equal(survey->period, PERIOD_MONTHLY);
    assert_int_equal(survey->limit, 1000000);
    assert_string_equal(survey->database, "work/commuting.reports");
    assert_int_equal(survey->question_count, 2);
    const struct survey_question *transport = survey_question_named(survey, "transport");
    assert_non_null(transport);
    assert_string_equal(transport->values[1], "by bus");
    assert_int_equal(transport->oracle.setting.domain, 3);
    assert_true(question_epsilon(transport) <= 0.1L); /* the double 0.1 is more than a tenth */
    assert_near(question_epsilon(transport), 0.1, 1e-15);
    assert_true(survey->epsilon >= question_epsilon(transport) + question_epsilon(&survey->questions[1]));
    assert_near(survey->epsilon, 0.3, 1e-12);
    assert_int_equal(survey->questions[1].oracle.setting.width, 64);
    assert_int_equal(survey->questions[1].oracle.setting.seed, 7);
    assert_ptr_equal(survey_question_keyed(survey, transport->key), transport);
    assert_null(survey_question_keyed(survey, transport->key + 1));
    arena_free(&arena);
}

static void every_mistake_has_its_line_and_key(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"survey: commuting", "survey: a b", "commuting.yaml:1: survey must be a name"},
        {"survey: commuting", "surway: commuting",
         "commuting.yaml:1: a survey has no key \"surway\"; did you mean"},
        {"survey: commuting\n", "", "commuting.yaml:1: a survey needs survey:"},
        {"version: 3", "version: 0", "commuting.yaml:2: version of the survey must be a whole number from 1"},
        {"period: monthly", "period: fortnightly", "commuting.yaml:3: period of the survey must be once"},
        {"limit: 1e6", "limit: 1e12", "commuting.yaml:4: limit of the survey must be a whole number"},
        {"  transport:", "  trans port:", "commuting.yaml:6: the name of a question is made of"},
        {"values: [walk, \"by bus\", car]", "values: [walk]",
         "commuting.yaml:8: values of question transport"},
        {"values: [walk, \"by bus\", car]", "values: [a, b, a]",
         "commuting.yaml:8: values of question transport: \"a\""},
        {"values: [walk, \"by bus\", car]", "values: [a, \"\"]",
         "commuting.yaml:8: values of question transport must be texts"},
        {"values: [walk, \"by bus\", car]", "domain: 1",
         "commuting.yaml:8: domain of question transport must be 2"},
        {"    values: [walk, \"by bus\", car]\n", "", "question transport needs values: or domain:"},
        {"mechanism: oue", "mechanism: ouu",
         "commuting.yaml:9: mechanism of question transport: there is no \"ouu\"; did you mean"},
        {"    mechanism: oue\n", "", "commuting.yaml:6: question transport needs mechanism: and epsilon:"},
        {"epsilon: 0.1", "epsilon: 0", "commuting.yaml:10: epsilon of question transport must lie between"},
        {"epsilon: 0.1", "epsilon: nan", "commuting.yaml:10: epsilon of question transport must lie between"},
        {"epsilon: 0.1", "epsilon: 0.1\n    width: 8", "question transport: oue has no option width"},
        {"width: 64", "width: 63", "question minutes: the width of a sketch must be a power of two"},
        {"seed: 7", "sead: 7", "question minutes has no key \"sead\"; did you mean \"seed\"?"},
        {"domain: 100", "domain: 100\n    values: [a, b]", "question minutes needs values: or domain:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        survey_text_refused(survey_text_changed(good, cases[i].old, cases[i].new), "commuting",
                            cases[i].message);
}

static void all_kinds_of_mechanism_can_be_named(void **state)
{
    (void)state;
    static const char head[] = "survey: s\nquestions:\n  q: ";
    static const struct {
        const char *question, *message; /* NULL: good */
        enum question_kind kind;
    } cases[] = {
        {"{range: [0, 100], mechanism: duchi, epsilon: 1}", NULL, QUESTION_NUMBER},
        {"{range: [-1.5, 1e3], mechanism: piecewise, epsilon: 1, steps: 64}", NULL, QUESTION_NUMBER},
        {"{range: [0, 1], mechanism: hybrid, epsilon: 1}", NULL, QUESTION_NUMBER},
        {"{range: [0, 1], mechanism: wave, epsilon: 1}", NULL, QUESTION_NUMBER},
        {"{domain: 9, mechanism: lgrr, epsilon: 1, permanent: 2}", NULL, QUESTION_LASTING},
        {"{values: [a, b], mechanism: losue, epsilon: 1, permanent: 2}", NULL, QUESTION_LASTING},
        {"{domain: 9, mechanism: ololoha, epsilon: 1, permanent: 2}", NULL, QUESTION_LASTING},
        {"{domain: 9, mechanism: dbitflip, epsilon: 1}", NULL, QUESTION_LASTING},
        {"{domain: 9, mechanism: rappor, epsilon: 1, permanent: 2}", NULL, QUESTION_LASTING},
        {"{domain: 9, mechanism: rappor, epsilon: 1}", NULL, QUESTION_VALUES},
        {"{mechanism: duchi, epsilon: 1}", "question q needs range:", QUESTION_NUMBER},
        {"{range: [1, 0], mechanism: duchi, epsilon: 1}", "range of question q must be two numbers",
         QUESTION_NUMBER},
        {"{range: [0, .inf], mechanism: duchi, epsilon: 1}", "range of question q must be two numbers",
         QUESTION_NUMBER},
        {"{range: 5, mechanism: duchi, epsilon: 1}", "range of question q must be two numbers",
         QUESTION_NUMBER},
        {"{range: [0, 1], values: [a, b], mechanism: duchi, epsilon: 1}", "duchi has no option values",
         QUESTION_NUMBER},
        {"{domain: 9, range: [0, 1], mechanism: grr, epsilon: 1}", "grr has no option range",
         QUESTION_VALUES},
        {"{domain: 9, mechanism: lgrr, epsilon: 1}", "question q: ", QUESTION_LASTING},
        {"{domain: 9, mechanism: piecewize, epsilon: 1}", "did you mean \"piecewise\"?", QUESTION_NUMBER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        const struct survey *survey = NULL;
        char text[300];
        error why;
        snprintf(text, sizeof text, "%s%s\n", head, cases[i].question);
        status result = survey_text_parse(text, "commuting", &arena, &survey, &why);
        if (cases[i].message == NULL && result != DITHER_OK)
            fail_msg("%s: %s", cases[i].question, why.message);
        if (cases[i].message == NULL)
            assert_int_equal(survey->questions[0].kind, cases[i].kind);
        else if (result != DITHER_INVALID || strstr(why.message, cases[i].message) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].question, why.message, cases[i].message);
        arena_free(&arena);
    }
}

static void a_key_changes_with_what_must_be_agreed_on(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        bool same;
    } cases[] = {
        {"survey: commuting", "survey: commuters", false},
        {"version: 3", "version: 4", false},
        {"period: monthly", "period: weekly", false},
        {"  transport:", "  transit:", false},
        {"walk, ", "bicycle, ", false},
        {"mechanism: oue", "mechanism: sue", false},
        {"epsilon: 0.1", "epsilon: 0.1000000000000001", false},
        {"How do you get to work?", "How did you get to work?", true},
        {"limit: 1e6", "limit: 1000", true},
        {"epsilon: 0.1", "epsilon: 1e-1", true},
    };
    const uint64_t key = survey_text_key(good, 0), other = survey_text_key(good, 1);
    assert_true(key != other);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true((survey_text_key(survey_text_changed(good, cases[i].old, cases[i].new), 0) == key) ==
                    cases[i].same);
    assert_true(survey_text_key(survey_text_changed(good, "seed: 7", "seed: 8"), 1) != other);
    assert_true(survey_text_key(survey_text_changed(good, "width: 64", "width: 128"), 1) != other);
}

/* Expected numbers: `date -d DAY +%s` over 86400, and counting months on paper. */
static void periods_follow_the_calendar(void **state)
{
    (void)state;
    static const struct {
        enum period_kind kind;
        int64_t seconds;
        int32_t period;
        const char *first_day;
    } cases[] = {
        {PERIOD_ONCE, 1794787200, 0, "all"},
        {PERIOD_DAILY, 0, 0, "1970-01-01"},
        {PERIOD_DAILY, -1, -1, "1969-12-31"},
        {PERIOD_DAILY, 1794787200, 20773, "2026-11-16"},
        {PERIOD_DAILY, 1794787199, 20772, "2026-11-15"},
        {PERIOD_WEEKLY, 1794787200, 2968, "2026-11-16"}, /* a Monday */
        {PERIOD_WEEKLY, 1794787199, 2967, "2026-11-09"},
        {PERIOD_WEEKLY, 0, 0, "1969-12-29"},
        {PERIOD_MONTHLY, 1794787200, 56 * 12 + 10, "2026-11-01"},
        {PERIOD_MONTHLY, -1, -1, "1969-12-01"},
        {PERIOD_QUARTERLY, 1794787200, 56 * 4 + 3, "2026-10-01"},
        {PERIOD_YEARLY, 1794787200, 56, "2026-01-01"},
        {PERIOD_YEARLY, INT64_MAX, 8029, "9999-01-01"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[PERIOD_TEXT];
        int32_t back = 0;
        assert_int_equal(period_at(cases[i].kind, cases[i].seconds), cases[i].period);
        period_print(cases[i].kind, cases[i].period, text);
        assert_string_equal(text, cases[i].first_day);
        assert_true(period_read(cases[i].kind, text, &back));
        assert_int_equal(back, cases[i].period);
    }
    int32_t period = 0;
    assert_true(period_read(PERIOD_MONTHLY, "2026-11-30", &period));
    assert_int_equal(period, 56 * 12 + 10);
    assert_false(period_read(PERIOD_MONTHLY, "2026-11-31", &period));
    assert_false(period_read(PERIOD_ONCE, "2026-11-30", &period));
    for (int32_t wild = INT32_MIN; wild < INT32_MAX - 99999999; wild += 99999999)
        for (int kind = 0; kind < PERIOD_KINDS; kind++) { /* a hostile report's */
            char text[PERIOD_TEXT];
            period_print((enum period_kind)kind, wild, text);
            assert_true(strlen(text) == 10 || kind == PERIOD_ONCE);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_says_what_it_declares),
        cmocka_unit_test(every_mistake_has_its_line_and_key),
        cmocka_unit_test(all_kinds_of_mechanism_can_be_named),
        cmocka_unit_test(a_key_changes_with_what_must_be_agreed_on),
        cmocka_unit_test(periods_follow_the_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
