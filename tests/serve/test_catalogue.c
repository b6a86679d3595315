/* The catalogue by itself: which questions are for it, what it refuses, what it never tells, and its parameters. */
#include "tests/support/two_catalogues.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/catalogue.h"

struct asked {
    struct arena arena;
    struct catalogue *catalogue;
    struct catalogue_reply reply;
    char state[6];
    error why;
};

static status ask(struct asked *asked, const char *text, const struct catalogue_parameter *parameters,
                  size_t count)
{
    const struct catalogue_question question = {.text = text,
                                                .length = strlen(text),
                                                .user = "alice",
                                                .parameters = parameters,
                                                .parameter_count = count};
    asked->why.message[0] = '\0';
    return catalogue_answer(asked->catalogue, &question, &asked->arena, &asked->reply, asked->state,
                            &asked->why);
}

static int open_asked(void **state)
{
    struct asked *asked = calloc(1, sizeof *asked);
    arena_init(&asked->arena, 1 << 30);
    *state = asked;
    return catalogue_open(catalogue_of(two_catalogues_policy, &asked->arena), NULL, &asked->catalogue,
                          &asked->why) == DITHER_OK
               ? 0
               : -1;
}

static int close_asked(void **state)
{
    struct asked *asked = *state;
    catalogue_close(asked->catalogue);
    arena_free(&asked->arena);
    free(asked);
    return 0;
}

static const char *single(struct asked *asked, const char *text)
{
    if (ask(asked, text, NULL, 0) != DITHER_OK)
        fail_msg("%s: %s", text, asked->why.message);
    assert_int_equal(asked->reply.row_count, 1);
    assert_int_equal(asked->reply.column_count, 1);
    return asked->reply.cells[0] != NULL ? asked->reply.cells[0] : "NULL";
}

static void catalogue_questions_are_told_from_others(void **state)
{
    (void)state;
    static const char *const ours[] = {
        "SELECT * FROM pg_catalog.pg_class",
        "select relname from pg_class",
        "SELECT version()",
        "SELECT current_schema()",
        "SELECT current_user",
        "SELECT 'patients'::regclass",
        "SELECT * FROM information_schema.tables",
        "SELECT pg_is_in_recovery()",
        "SELECT * FROM pg_catalog.pg_nothing",
    };
    static const char *const others[] = {
        "SELECT count(*) FROM patients",
        "SELECT 1",
        "SELECT count(*) FROM patients WHERE region = version()",
        "SELECT * FROM",
        "DELETE FROM pg_class",
        "",
        "SELECT current_date",
        "SELECT age(timestamp '2024-01-01')",
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(catalogue_concerns(ours[i], strlen(ours[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(catalogue_concerns(others[i], strlen(others[i])));
}

static void what_is_not_understood_is_refused_with_a_state(void **state)
{
    struct asked *asked = *state;
    static const char *const refused[][2] = {
        {"SELECT * FROM read_csv('/etc/passwd')", "0A000"},
        {"SELECT * FROM '/etc/passwd'", "42601"},
        {"SELECT * FROM \"/etc/passwd\"", "42P01"},
        {"SELECT pg_read_file('/etc/passwd')", "0A000"},
        {"SELECT getvariable('dither_user')", "0A000"},
        {"SELECT * FROM duckdb_settings()", "0A000"},
        {"SELECT * FROM dither.phrases", "42P01"},
        {"SELECT dither.find_regclass('x')", "42883"},
        {"SELECT * FROM patients, pg_class", "42P01"},
        {"SELECT * FROM main.pg_class", "42P01"},
        {"SELECT 1::pg_catalog.polygon", "0A000"},
        {"SELECT set_config('Dither.epsilon', '5', false)", "0A000"}, /* which it would not be */
        {"SELECT set_config(relname, '5', false) FROM pg_class", "0A000"},
        {"SELECT relname, nonsense FROM pg_class", "0A000"},
        {"SELECT FROM WHERE", "42601"},
        {"DROP TABLE pg_class", "0A000"},
        {"SELECT 1; SELECT 2", "0A000"},
        {"SELECT repeat('x', 1000000000) FROM pg_class", "0A000"},
        {"SELECT a.attnum FROM pg_attribute a, pg_attribute b, pg_class c", "54000"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (ask(asked, refused[i][0], NULL, 0) == DITHER_OK)
            fail_msg("%s was answered", refused[i][0]);
        if (strcmp(asked->state, refused[i][1]) != 0)
            print_error("%s: %s %s\n", refused[i][0], asked->state, asked->why.message);
        assert_string_equal(asked->state, refused[i][1]);
        assert_true(asked->why.message[0] != '\0');
        assert_null(strstr(asked->why.message, "DuckDB"));
    }
}

static void only_the_asker_is_known_by_name(void **state)
{
    struct asked *asked = *state;
    assert_string_equal(single(asked, "SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles"),
                        "alice,dither");
    assert_string_equal(single(asked, "SELECT string_agg(usename, ',' ORDER BY usename) FROM pg_user"),
                        "alice,dither");
    assert_string_equal(single(asked, "SELECT current_user"), "alice");
    assert_string_equal(single(asked, "SELECT count(*) FROM pg_authid WHERE rolname = 'mallory'"), "0");
}

static void nothing_tells_how_much_there_is(void **state)
{
    struct asked *asked = *state;
    assert_string_equal(single(asked, "SELECT min(reltuples) FROM pg_class"), "-1");
    assert_string_equal(single(asked, "SELECT max(reltuples) FROM pg_class"), "-1");
    assert_string_equal(single(asked, "SELECT max(relpages) FROM pg_class"), "0");
    assert_string_equal(single(asked, "SELECT pg_total_relation_size('patients'::regclass)"), "NULL");
    assert_string_equal(single(asked, "SELECT count(n_live_tup) FROM pg_stat_user_tables"), "0");
    assert_string_equal(single(asked, "SELECT count(*) FROM pg_stats"), "0");
}

static void parameters_take_the_places_of_literals(void **state)
{
    struct asked *asked = *state;
    const struct catalogue_parameter name[] = {{25, "patients"}};
    assert_int_equal(ask(asked, "SELECT relkind FROM pg_class WHERE relname = $1", name, 1), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 1);
    assert_string_equal(asked->reply.cells[0], "r");
    assert_int_equal(asked->reply.columns[0].oid, 18);
    const struct catalogue_parameter names[] = {{1009, "{patients,\"visits\",none}"}};
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = ANY($1) ORDER BY 1", names, 1),
                     DITHER_OK);
    assert_int_equal(asked->reply.row_count, 2);
    const struct catalogue_parameter evil[] = {{25, "x' OR true --"}};
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = $1", evil, 1), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 0);
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = $1", NULL, 0), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 0);
    uint32_t oids[3];
    size_t count = 0;
    static const char text[] = "SELECT $2::oid FROM pg_class WHERE relname = $1 AND oid = ANY($3::oid[])";
    assert_int_equal(catalogue_parameters(text, strlen(text), oids, 3, &count, &asked->why), DITHER_OK);
    assert_int_equal(count, 3);
    assert_int_equal(oids[0], 25);
    assert_int_equal(oids[1], 26);
    assert_int_equal(oids[2], 1028);
}

int main(void)
{
    const struct CMUnitTest tests_of_catalogue[] = {
        cmocka_unit_test(catalogue_questions_are_told_from_others),
        cmocka_unit_test_setup_teardown(what_is_not_understood_is_refused_with_a_state, open_asked,
                                        close_asked),
        cmocka_unit_test_setup_teardown(only_the_asker_is_known_by_name, open_asked, close_asked),
        cmocka_unit_test_setup_teardown(nothing_tells_how_much_there_is, open_asked, close_asked),
        cmocka_unit_test_setup_teardown(parameters_take_the_places_of_literals, open_asked, close_asked),
    };
    return cmocka_run_group_tests(tests_of_catalogue, NULL, NULL);
}
