/* What psql, JDBC, ODBC, SQLAlchemy, psycopg, asyncpg and node's clients really send at connect and to list tables was
 * recorded from a server's log (tests/serve/catalogue/CLIENT.sql) and is replayed here twice: to a real PostgreSQL with the
 * same tables, and to our catalogue. After each statement stands what must hold:
 *
 *     --> same       the same columns (names, families of types) and the same rows, in any order
 *     --> columns    the same columns; rows differ for a reason that the line says
 *     --> refused    ours says 0A000, for a reason that the line says
 *
 *     --> other columns    a type differs for a reason that the line says
 *
 * {patients} stands for the number of that table, which differs between the two; so does it in the rows that are compared.
 * Types of one family have the same bytes for clients: text, name, varchar, "char"; and whole numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/two_catalogues.h"

static size_t wrong;

static void replay(const struct two_catalogues *side, const struct two_question *block)
{
    struct two_table ours, theirs;
    two_ask_ours(side, block, &ours);
    two_ask_theirs(side, block, &theirs);
    const char *found = two_verdict(&ours, &theirs);
    if (strncmp(block->expected, found, strlen(found)) != 0 ||
        (strcmp(found, "refused") == 0 && strcmp(ours.state, "0A000") != 0)) {
        print_error("\n%s (%s): expected %s, found %s\n", block->place, block->title, block->expected, found);
        two_table_show("ours", &ours);
        two_table_show("theirs", &theirs);
        wrong++;
    }
    two_table_free(&ours);
    two_table_free(&theirs);
}

/* ---- Files ---- */

/* "$1 = 'a', $2 = 'b'" */
static void read_parameters(const char *line, struct two_question *block)
{
    while ((line = strchr(line, '\'')) != NULL && block->parameter_count < TWO_MOST_PARAMETERS) {
        size_t length = strcspn(line + 1, "'");
        assert_true(length < sizeof block->parameters[0]);
        snprintf(block->parameters[block->parameter_count++], sizeof block->parameters[0], "%.*s",
                 (int)length, line + 1);
        line += length + 2;
    }
}

static size_t replay_file(const struct two_catalogues *side, const char *name)
{
    static struct two_question block;
    char path[300], line[TWO_TEXT_BYTES];
    size_t count = 0, number = 0, used = 0;
    snprintf(path, sizeof path, "%s/tests/serve/catalogue/%s.sql", getenv("SOURCE_DIR"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    memset(&block, 0, sizeof block);
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "--> ", 4) == 0) {
            snprintf(block.expected, sizeof block.expected, "%.300s", line + 4);
            replay(side, &block);
            memset(&block, 0, sizeof block);
            used = 0;
            count++;
        } else if (strncmp(line, "--$ ", 4) == 0) {
            read_parameters(line + 4, &block);
        } else if (strncmp(line, "-- ", 3) == 0 && used == 0) {
            snprintf(block.title, sizeof block.title, "%.300s", line + 3);
            snprintf(block.place, sizeof block.place, "%s.sql:%zu", name, number);
        } else if (line[0] != '\0') {
            assert_true(used + strlen(line) + 2 < sizeof block.text);
            used += (size_t)snprintf(block.text + used, sizeof block.text - used, "%s\n", line);
        }
    }
    fclose(file);
    assert_int_equal(used, 0);
    return count;
}

static void what_clients_send_is_answered_as_postgresql_does(void **state)
{
    (void)state;
    static const char *const files[] = {"psql", "jdbc", "odbc", "sqlalchemy", "psycopg", "node", "tools"};
    struct two_catalogues side = {.ours = NULL};
    struct arena arena;
    size_t count = 0;
    arena_init(&arena, 64 << 20);
    two_catalogues_open(&side, &arena);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        count += replay_file(&side, files[i]);
    assert_true(count >= 150);
    two_catalogues_close(&side);
    arena_free(&arena);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_clients_send_is_answered_as_postgresql_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
