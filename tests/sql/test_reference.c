/* docs/sql.md names every operator and function that a question may use: the list in function.c is the truth, and the page is
 * looked through for each of its names, in capitals for those that are words of the grammar. */
#include "tests/support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/function.h"

static char page[1 << 18];

static int read_page(void **state)
{
    (void)state;
    char path[4096];
    const char *source = getenv("SOURCE_DIR");
    assert_non_null(source);
    snprintf(path, sizeof path, "%s/docs/sql.md", source);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(page, 1, sizeof page - 1, file);
    page[count] = '\0';
    fclose(file);
    return 0;
}

/* Whether the page has the name in backticks; a | in a table is written \|. */
static bool is_named(const char *name, bool capitals)
{
    char wanted[80];
    size_t length = 0;
    wanted[length++] = '`';
    for (const char *at = name; *at != '\0' && length + 4 < sizeof wanted; at++) {
        if (*at == '|')
            wanted[length++] = '\\';
        wanted[length++] = capitals ? (char)toupper((unsigned char)*at) : *at;
    }
    wanted[length++] = '`';
    wanted[length] = '\0';
    return strstr(page, wanted) != NULL;
}

static void every_function_is_in_the_reference(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct sql_function *function; (function = sql_function_at(count)) != NULL; count++) {
        const char *name = function->name;
        if (strncmp(name, "extract.", 8) == 0)
            name += 8;
        else if (strchr(name, '.') != NULL)
            continue; /* no name that a question can have: our own releases use it */
        if (!is_named(name, false) && !is_named(name, true))
            fail_msg("docs/sql.md does not name `%s`", name);
    }
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_is_in_the_reference)};
    return cmocka_run_group_tests(tests, read_page, NULL);
}
