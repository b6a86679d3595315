/* The parser: what is a question, where an error is, what BigQuery's clause says, and that no text, however deep or
 * odd, harms it. Positions are characters counted by hand; PostgreSQL's own words are taken as they are. The corpus
 * in tests/base/corpus/sql is the fuzzer's start and replays here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "sql/parse.h"
#include "sql/plan.h"
#include "tests/support/corpus.h"
#include "tests/support/test.h"

static status parse_bytes(const char *text, size_t length, struct arena *arena, struct sql_parsed *parsed,
                          error *why)
{
    memset(parsed, 0, sizeof *parsed);
    return sql_parse(text, length, arena, parsed, why);
}

static void expect_refusal(const char *text, status code, int position, const char *words)
{
    struct arena arena;
    struct sql_parsed parsed;
    error why = {.position = -7};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = parse_bytes(text, strlen(text), &arena, &parsed, &why);
    if (result != code || why.position != position || strstr(why.message, words) == NULL)
        fail_msg("%s\n  wanted %d at %d: %s\n  got %d at %d: %s", text, (int)code, position, words,
                 (int)result, why.position, why.message);
    arena_free(&arena);
}

static void expect_options(const char *text, const struct sql_options *wanted)
{
    struct arena arena;
    struct sql_parsed parsed;
    error why = {.position = -7};
    arena_init(&arena, SQL_ARENA_BYTES);
    if (parse_bytes(text, strlen(text), &arena, &parsed, &why) != DITHER_OK)
        fail_msg("%s\n  %s at %d", text, why.message, why.position);
    assert_true(parsed.has_options);
    assert_int_equal(decimal_compare(parsed.options.epsilon, wanted->epsilon), 0);
    assert_int_equal(decimal_compare(parsed.options.delta, wanted->delta), 0);
    assert_int_equal(decimal_compare(parsed.options.rho, wanted->rho), 0);
    assert_int_equal(parsed.options.max_groups, wanted->max_groups);
    assert_int_equal(parsed.options.max_rows, wanted->max_rows);
    assert_int_equal(parsed.options.other, wanted->other);
    assert_int_equal(parsed.options.non_negative, wanted->non_negative);
    sql_parsed_free(&parsed);
    arena_free(&arena);
}

static struct decimal decimal_of(const char *text)
{
    struct decimal value;
    assert_int_equal(decimal_parse(text, &value, NULL), DITHER_OK);
    return value;
}

/* ---- What is a question ---- */

static void selects_with_and_values_are_questions(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT 1",
        "select count(*) from patients;",
        " ; ;SELECT 1; ;",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "VALUES (1, 'x'), (2, 'y')",
        "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1",
        "TABLE patients",
        "SELECT 'INSERT INTO x' -- DELETE FROM y\n",
        "SELECT avg(x, contribution_bounds_per_group => (0, 100)) FROM t",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct arena arena;
        struct sql_parsed parsed;
        error why;
        arena_init(&arena, SQL_ARENA_BYTES);
        if (parse_bytes(questions[i], strlen(questions[i]), &arena, &parsed, &why) != DITHER_OK)
            fail_msg("%s: %s", questions[i], why.message);
        assert_non_null(parsed.select);
        assert_false(parsed.has_options);
        sql_parsed_free(&parsed);
        sql_parsed_free(&parsed); /* a second time is nothing */
        arena_free(&arena);
    }
}

static void other_statements_are_refused_by_name(void **state)
{
    (void)state;
    expect_refusal("INSERT INTO t VALUES (1)", DITHER_REFUSED, 0, "INSERT is not a question");
    expect_refusal("  DELETE FROM t", DITHER_REFUSED, 0, "DELETE is not a question");
    expect_refusal("UPDATE t SET a = 1", DITHER_REFUSED, 0, "UPDATE is not a question");
    expect_refusal("CREATE TABLE t (a int)", DITHER_REFUSED, 0, "CREATE is not a question");
    expect_refusal("DROP TABLE t", DITHER_REFUSED, 0, "DROP is not a question");
    expect_refusal("COPY t TO '/tmp/x'", DITHER_REFUSED, 0, "COPY is not a question");
    expect_refusal("SET search_path = x", DITHER_REFUSED, 0, "SET is not a question");
    expect_refusal("EXPLAIN SELECT 1", DITHER_REFUSED, 0, "explain command");
    expect_refusal("PREPARE p AS SELECT 1", DITHER_REFUSED, 0, "PREPARE is not a question");
    expect_refusal("DECLARE c CURSOR FOR SELECT 1", DITHER_REFUSED, 0, "DECLARE is not a question");
    expect_refusal("CREATE TABLE t AS SELECT 1", DITHER_REFUSED, 0, "CREATE is not a question");
    expect_refusal("WITH a AS (SELECT 1) DELETE FROM t", DITHER_REFUSED, 0, "is not a question");
    expect_refusal("DO $$ BEGIN END $$", DITHER_REFUSED, 0, "DO is not a question");
    expect_refusal("", DITHER_INVALID, -1, "no question");
    expect_refusal(" ;; -- nothing", DITHER_INVALID, -1, "no question");
}

static void two_statements_are_refused_at_the_second(void **state)
{
    (void)state;
    expect_refusal("SELECT 1; SELECT 2", DITHER_REFUSED, 9, "one question at a time");
    expect_refusal("SELECT 1; DROP TABLE t", DITHER_REFUSED, 9, "DROP is not a question");
}

static void a_select_that_writes_or_locks_is_refused(void **state)
{
    (void)state;
    expect_refusal("SELECT 1 INTO t", DITHER_REFUSED, 14, "SELECT INTO");
    expect_refusal("SELECT 1 INTO t UNION SELECT 2", DITHER_REFUSED, 14, "SELECT INTO");
    expect_refusal("SELECT * FROM t FOR UPDATE", DITHER_REFUSED, -1, "FOR UPDATE");
    expect_refusal("SELECT * FROM (SELECT * FROM t FOR SHARE) s", DITHER_REFUSED, -1, "lock rows");
    expect_refusal("WITH a AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM a", DITHER_REFUSED, 5,
                   "INSERT in WITH");
    expect_refusal("SELECT (WITH a AS (DELETE FROM t RETURNING 1) SELECT 1)", DITHER_REFUSED, 13,
                   "DELETE in WITH");
}

/* ---- Where an error is ---- */

static void syntax_errors_have_postgresqls_words_and_a_character_offset(void **state)
{
    (void)state;
    expect_refusal("SELECT FROM WHERE", DITHER_INVALID, 12, "syntax error at or near \"WHERE\"");
    expect_refusal("SELECT \xC3\xA9 + * x", DITHER_INVALID, 11, "syntax error at or near \"*\"");
    expect_refusal("SELECT 'open", DITHER_INVALID, 7, "unterminated quoted string");
    expect_refusal("SELECT 1 +", DITHER_INVALID, 10, "syntax error at end of input");
}

static void a_message_that_is_too_long_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t blanks = 0; blanks < 4; blanks++) { /* so that the cut falls on every byte of a character */
        struct buffer text;
        struct arena arena;
        struct sql_parsed parsed;
        error why = {.position = -7};
        buffer_init(&text, SQL_TEXT_BYTES);
        buffer_text(&text, "SELECT 1 '");
        for (size_t i = 0; i < blanks; i++)
            buffer_text(&text, "x");
        for (int i = 0; i < 1000; i++)
            buffer_text(&text, "\xE2\x82\xAC");
        buffer_text(&text, "'");
        arena_init(&arena, SQL_ARENA_BYTES);
        assert_int_equal(parse_bytes(text.data, text.length, &arena, &parsed, &why), DITHER_INVALID);
        assert_true(utf8_valid(why.message, strlen(why.message)));
        assert_true(strlen(why.message) > sizeof why.message - 5);
        arena_free(&arena);
        buffer_free(&text);
    }
}

static void locations_in_the_tree_are_bytes_and_positions_characters(void **state)
{
    (void)state;
    const char *text = "SELECT '\xC3\xBC', '\xE2\x82\xAC', x";
    struct arena arena;
    struct sql_parsed parsed;
    arena_init(&arena, SQL_ARENA_BYTES);
    assert_int_equal(parse_bytes(text, strlen(text), &arena, &parsed, NULL), DITHER_OK);
    assert_int_equal(parsed.select->n_target_list, 3);
    int location = parsed.select->target_list[2]->res_target->location;
    assert_int_equal(location, 20);
    assert_int_equal(sql_parsed_position(&parsed, location), 17);
    assert_int_equal(sql_parsed_position(&parsed, -1), -1);
    assert_int_equal(sql_parsed_position(&parsed, 0), 0);
    assert_int_equal(sql_parsed_position(&parsed, (int)strlen(text)), 18);
    sql_parsed_free(&parsed);
    arena_free(&arena);
}

static void a_place_behind_the_cut_clause_is_where_the_analyst_wrote_it(void **state)
{
    (void)state;
    /* A comment with wide characters inside the clause: PostgreSQL is given blanks in its place. */
    expect_refusal(
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(/* \xE2\x82\xAC\xE2\x82\xAC */ epsilon=1) FROM WHERE",
        DITHER_INVALID, 66, "\"WHERE\"");
}

/* ---- BigQuery's clause ---- */

static void the_options_of_the_clause_are_read_exactly(void **state)
{
    (void)state;
    expect_options(
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.1, delta=1e-9, max_groups_contributed=3, "
        "max_rows_contributed = 20, group_selection_strategy=LAPLACE_THRESHOLD) count(*) FROM t",
        &(struct sql_options){.epsilon = decimal_of("0.1"),
                              .delta = decimal_of("0.000000001"),
                              .max_groups = 3,
                              .max_rows = 20});
    expect_options("select with differential_privacy options (other = TRUE, non_negative=true, rho=.5) 1",
                   &(struct sql_options){.rho = decimal_of("0.5"), .other = true, .non_negative = true});
    expect_options(
        "SELECT /* here */ WITH -- and\n DIFFERENTIAL_PRIVACY OPTIONS(/*,*/epsilon=2)count(*) FROM t",
        &(struct sql_options){.epsilon = decimal_of("2")});
    expect_options("SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM t", &(struct sql_options){.other = false});
    expect_options("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS() 1", &(struct sql_options){.other = false});
    expect_options("WITH a AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) 1) SELECT WITH "
                   "DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1.0) * FROM a",
                   &(struct sql_options){.epsilon = decimal_of("1")});
}

static void what_looks_like_the_clause_in_a_string_or_comment_is_none(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=9)'",
        "SELECT $$ SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(x=9) $$",
        "SELECT 1 /* SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(x=9) */",
        "SELECT 1 AS \"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(x=9)\"",
        "SELECT 1 -- SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(x=9)",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct arena arena;
        struct sql_parsed parsed;
        arena_init(&arena, SQL_ARENA_BYTES);
        assert_int_equal(parse_bytes(questions[i], strlen(questions[i]), &arena, &parsed, NULL), DITHER_OK);
        assert_false(parsed.has_options);
        sql_parsed_free(&parsed);
        arena_free(&arena);
    }
}

static void a_wrong_option_is_refused_by_name_and_place(void **state)
{
    (void)state;
#define CLAUSE "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(" /* 41 characters */
    expect_refusal(CLAUSE "magic=1) 1", DITHER_INVALID, 41, "no option \"magic\"");
    expect_refusal(CLAUSE "epsilon=1, privacy_unit_column=id) 1", DITHER_INVALID, 52, "policy says who");
    expect_refusal(CLAUSE "group_selection_strategy=PUBLIC_GROUPS) 1", DITHER_INVALID, 66, "PUBLIC_GROUPS");
    expect_refusal(CLAUSE "epsilon=-1) 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "epsilon=0) 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "epsilon='1') 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "epsilon=1e-25) 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "epsilon=1e99) 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "epsilon=NaN) 1", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE "max_groups_contributed=NULL) 1", DITHER_INVALID, 64, "whole number");
    expect_refusal(CLAUSE "max_groups_contributed=0) 1", DITHER_INVALID, 64, "whole number");
    expect_refusal(CLAUSE "max_groups_contributed=1.5) 1", DITHER_INVALID, 64, "whole number");
    expect_refusal(CLAUSE "other=1) 1", DITHER_INVALID, 47, "true or false");
    expect_refusal(CLAUSE "epsilon=1, epsilon=2) 1", DITHER_INVALID, 52, "twice");
    expect_refusal(CLAUSE "epsilon=1 delta=2) 1", DITHER_INVALID, 51, "comma");
    expect_refusal(CLAUSE "epsilon 1) 1", DITHER_INVALID, 49, "name = value");
    expect_refusal(CLAUSE "epsilon=1,) 1", DITHER_INVALID, 51, "name of an option");
    expect_refusal(CLAUSE "epsilon=1", DITHER_INVALID, 50, "comma");
    expect_refusal(CLAUSE "epsilon=", DITHER_INVALID, 49, "positive decimal");
    expect_refusal(CLAUSE, DITHER_INVALID, 41, "name of an option");
    expect_refusal("SELECT WITH TIES 1", DITHER_INVALID, 7, "near \"WITH\"");
    expect_refusal(CLAUSE "epsilon=1) (" CLAUSE "epsilon=2) 1)", DITHER_REFUSED, 60, "differ");
}

/* ---- Harmless, whatever the text ---- */

static status parse_chain(const char *head, const char *link, size_t count, const char *middle,
                          const char *closing)
{
    size_t most = strlen(head) + count * (strlen(link) + strlen(closing)) + strlen(middle);
    char *text = malloc(most + 1);
    assert_non_null(text);
    char *end = stpcpy(text, head);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, link);
    end = stpcpy(end, middle);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, closing);
    struct arena arena;
    struct sql_parsed parsed;
    error why = {.position = -7};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = parse_bytes(text, (size_t)(end - text), &arena, &parsed, &why);
    if (result == DITHER_OK)
        sql_parsed_free(&parsed);
    arena_free(&arena);
    free(text);
    return result;
}

static void deep_questions_are_refused_and_nothing_overflows(void **state)
{
    (void)state;
    static const struct {
        const char *head, *link, *middle, *closing;
    } chains[] = {
        {"SELECT 1", "+1", "", ""},
        {"SELECT ", "(", "1", ")"},
        {"SELECT ", "((", "1", "))"},
        {"SELECT ", "- ", "x", ""},
        {"SELECT ", "NOT ", "x", ""},
        {"SELECT ", "f(", "x", ")"},
        {"SELECT x", "::int", "", ""},
        {"SELECT x", " IS NULL", "", ""},
        {"SELECT x", "||y", "", ""},
        {"SELECT x", " COLLATE c", "", ""},
        {"SELECT x", " AT TIME ZONE y", "", ""},
        {"SELECT ", "CASE WHEN 1 THEN ", "1", " END"},
        {"SELECT ", "CASE WHEN ", "1", " THEN 1 END"},
        {"SELECT ", "ARRAY[", "1", "]"},
        {"SELECT ", "ROW(", "1", ")"},
        {"", "(", "SELECT 1", ")"},
        {"", "SELECT(", "SELECT 1", ")"},
        {"", "SELECT * FROM (", "SELECT 1", ")a"},
        {"", "WITH a AS(", "SELECT 1", ")SELECT 1"},
        {"SELECT 1", " UNION SELECT 1", "", ""},
        {"SELECT 1", " UNION ALL (SELECT 1", "", ")"},
        {"SELECT * FROM a", " CROSS JOIN b", "", ""},
        {"SELECT * FROM ", "(", "a", " CROSS JOIN b)"},
        {"SELECT 1 WHERE ", "EXISTS(SELECT 1 WHERE ", "true", ")"},
        {"SELECT 1 WHERE ", "1 IN (SELECT 1 WHERE ", "true", ")"},
        {"SELECT x", " BETWEEN 1 AND x", "", ""},
        {"SELECT x", " LIKE y", "", ""},
        {"SELECT x", " OPERATOR(pg_catalog.+) y", "", ""},
    };
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        size_t bytes = strlen(chains[i].link) + strlen(chains[i].closing);
        size_t most = (SQL_TEXT_BYTES - 64) / bytes;
        status largest =
            parse_chain(chains[i].head, chains[i].link, most, chains[i].middle, chains[i].closing);
        if (largest != DITHER_REFUSED && largest != DITHER_INVALID)
            fail_msg("%s%s... was accepted", chains[i].head, chains[i].link);
        status small = parse_chain(chains[i].head, chains[i].link, 20, chains[i].middle, chains[i].closing);
        if (small == DITHER_REFUSED)
            fail_msg("%s%s... is not deep", chains[i].head, chains[i].link);
    }
}

static void wide_questions_are_not_deep(void **state)
{
    (void)state;
    assert_int_equal(parse_chain("SELECT 1", ",1", 30000, "", ""), DITHER_OK);
    assert_int_equal(parse_chain("SELECT 1 WHERE a", " OR a", 12000, "", ""), DITHER_OK);
    assert_int_equal(parse_chain("SELECT x IN (1", ",1", 30000, ")", ""), DITHER_OK);
    assert_int_equal(parse_chain("SELECT CASE", " WHEN a+1 THEN b+1", 3000, " END", ""), DITHER_OK);
    assert_int_equal(parse_chain("SELECT a+b", ",a+b", 12000, "", ""), DITHER_OK);
}

static void too_long_nul_and_broken_utf8_are_refused(void **state)
{
    (void)state;
    assert_int_equal(parse_chain("SELECT 1", " ", SQL_TEXT_BYTES - 8, "", ""), DITHER_OK);
    assert_int_equal(parse_chain("SELECT 1", " ", SQL_TEXT_BYTES - 7, "", ""), DITHER_INVALID);
    struct arena arena;
    struct sql_parsed parsed;
    error why;
    arena_init(&arena, SQL_ARENA_BYTES);
    assert_int_equal(parse_bytes("SELECT 1\0; DROP TABLE t", 23, &arena, &parsed, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "NUL"));
    assert_int_equal(parse_bytes("SELECT '\xFF'", 10, &arena, &parsed, &why), DITHER_INVALID);
    assert_int_equal(parse_bytes("SELECT '\xC3'", 9, &arena, &parsed, &why), DITHER_INVALID);
    assert_int_equal(parse_bytes("SELECT '\xED\xA0\x80'", 12, &arena, &parsed, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "UTF-8"));
    arena_free(&arena);
}

static void replay(const char *name, const char *bytes, size_t count, bool accept)
{
    struct arena arena;
    struct sql_parsed parsed;
    error why = {.position = -7};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = parse_bytes(bytes, count, &arena, &parsed, &why);
    if (accept != (result == DITHER_OK))
        fail_msg("%s: %s", name, result == DITHER_OK ? "was accepted" : why.message);
    if (result == DITHER_OK)
        sql_parsed_free(&parsed);
    else
        assert_true(why.position >= -1 && why.position <= (int)count);
    arena_free(&arena);
}

static void the_corpus_is_accepted_and_refused_as_its_names_say(void **state)
{
    (void)state;
    corpus_walk("sql", 30, replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selects_with_and_values_are_questions),
        cmocka_unit_test(other_statements_are_refused_by_name),
        cmocka_unit_test(two_statements_are_refused_at_the_second),
        cmocka_unit_test(a_select_that_writes_or_locks_is_refused),
        cmocka_unit_test(syntax_errors_have_postgresqls_words_and_a_character_offset),
        cmocka_unit_test(a_message_that_is_too_long_is_cut_between_characters),
        cmocka_unit_test(locations_in_the_tree_are_bytes_and_positions_characters),
        cmocka_unit_test(a_place_behind_the_cut_clause_is_where_the_analyst_wrote_it),
        cmocka_unit_test(the_options_of_the_clause_are_read_exactly),
        cmocka_unit_test(what_looks_like_the_clause_in_a_string_or_comment_is_none),
        cmocka_unit_test(a_wrong_option_is_refused_by_name_and_place),
        cmocka_unit_test(deep_questions_are_refused_and_nothing_overflows),
        cmocka_unit_test(wide_questions_are_not_deep),
        cmocka_unit_test(too_long_nul_and_broken_utf8_are_refused),
        cmocka_unit_test(the_corpus_is_accepted_and_refused_as_its_names_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
