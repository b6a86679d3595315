/* A policy says where its ledger is: named, or beside it; relative to the policy's folder; and what is wrong,
 * with the line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/ledger_place.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/dither-place-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Writes a policy, reads its ledger's place, and compares; an expectation of NULL means refused with
 * `message`. */
static void check(const char *name, const char *text, const char *location, const char *message)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
    struct arena arena;
    struct ledger_place place = {0};
    error why = {.message = ""};
    arena_init(&arena, 64 << 20);
    status result = ledger_place_read(path, &arena, &place, &why);
    if (location == NULL) {
        assert_int_equal(result, DITHER_INVALID);
        if (strstr(why.message, message) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", why.message, message);
        assert_null(place.location);
    } else {
        assert_int_equal(result, DITHER_OK);
        const char *relative = strncmp(place.location, folder, strlen(folder)) == 0
                                   ? place.location + strlen(folder) + 1
                                   : place.location;
        assert_string_equal(relative, location);
    }
    arena_free(&arena);
}

static void the_ledger_lies_beside_the_policy(void **state)
{
    (void)state;
    check("hospital.yaml", "dataset: hospital\n", "hospital.ledger", NULL);
    check("hospital", "dataset: hospital\n", "hospital.ledger", NULL);
    check("a.b.yaml", "dataset: hospital\n", "a.b.ledger", NULL);
    check(".hidden", "dataset: hospital\n", ".hidden.ledger", NULL);
}

static void a_named_ledger_is_relative_to_the_policy(void **state)
{
    (void)state;
    check("p.yaml", "dataset: x\nledger: {sqlite: books/x.ledger}\n", "books/x.ledger", NULL);
    check("p.yaml", "dataset: x\nledger: {sqlite: /var/lib/x.ledger}\n", "/var/lib/x.ledger", NULL);
    check("p.yaml", "dataset: x\nledger: {postgres: \"host=db dbname=x\"}\n", "postgres:host=db dbname=x",
          NULL);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    check("p.yaml", "dataset: x\nledger: here\n", NULL, "p.yaml:2: ledger must be");
    check("p.yaml", "dataset: x\nledger: {mysql: a}\n", NULL,
          "p.yaml:2: a ledger is kept in sqlite or postgres");
    check("p.yaml", "dataset: x\nledger:\n  sqlite: [a]\n", NULL, "p.yaml:3: sqlite must be a text");
    check("p.yaml", "dataset: [x]\n", NULL, "p.yaml:1: dataset must be a text");
    check("p.yaml", "- a\n- b\n", NULL, "a policy is a list of keys");
    check("p.yaml", "dataset: \"x\n", NULL, "p.yaml:");
}

static void a_policy_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct arena arena;
    struct ledger_place place;
    error why;
    arena_init(&arena, 1 << 20);
    assert_int_equal(ledger_place_read("/nonexistent/p.yaml", &arena, &place, &why), DITHER_IO);
    assert_non_null(strstr(why.message, "/nonexistent/p.yaml: No such file"));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_lies_beside_the_policy),
        cmocka_unit_test(a_named_ledger_is_relative_to_the_policy),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_policy_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
