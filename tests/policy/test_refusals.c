/* What a policy may not say: every block of policies.txt is read and must give the line and words that stand
 * under it. Many are also read cut off at every byte, which must be refused or accepted, nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "tests/support/test.h"

struct block {
    char title[1000], text[4000], expected[1000];
};

static size_t wrong; /* blocks so far */

/* The next block of the file; false at its end. */
static bool read_block(FILE *file, struct block *block)
{
    char line[1000];
    *block = (struct block){0};
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "--- ", 4) == 0) {
            *block = (struct block){0};
            snprintf(block->title, sizeof block->title, "%s", line + 4);
        } else if (strncmp(line, ">>> ", 4) == 0) {
            snprintf(block->expected, sizeof block->expected, "%s", line + 4);
            return true;
        } else if (block->title[0] != '\0') {
            assert_true(strlen(block->text) + strlen(line) + 2 < sizeof block->text);
            strcat(strcat(block->text, line), "\n");
        }
    }
    assert_true(block->title[0] == '\0'); /* every block has its expectation */
    return false;
}

static bool has_warning(const struct policy *policy, const char *expected)
{
    for (const struct policy_warning *warning = policy->warnings; warning != NULL; warning = warning->next) {
        char line[500];
        snprintf(line, sizeof line, "%d: %s", warning->line, warning->text);
        if (strncmp(line, expected, strlen(expected)) == 0)
            return true;
    }
    return false;
}

static void check(const struct block *block)
{
    struct arena arena;
    const struct policy *policy = NULL;
    error why = {.message = "accepted"};
    arena_init(&arena, POLICY_ARENA_BYTES);
    status result = policy_read_text(block->text, strlen(block->text), "p.yaml", &arena, &policy, &why);
    static const char file[] = "p.yaml:";
    const char *expected = block->expected;
    bool right = false;
    if (strcmp(expected, "accepted") == 0)
        right = result == DITHER_OK;
    else if (strncmp(expected, "warning ", 8) == 0)
        right = result == DITHER_OK && has_warning(policy, expected + 8);
    else
        right = result == DITHER_INVALID && policy == NULL && strncmp(why.message, file, strlen(file)) == 0 &&
                strncmp(why.message + strlen(file), expected, strlen(expected)) == 0;
    if (!right) {
        print_error("%s\nexpected %s\ngot      %s\n", block->title, expected, why.message);
        wrong++;
    }
    arena_free(&arena);
}

/* Every fifth: they are much alike, and each is read some hundred times. */
static void cut(const struct block *block)
{
    static size_t seen;
    if (seen++ % 5 != 0)
        return;
    size_t length = strlen(block->text);
    for (size_t count = 0; count < length; count++) {
        struct arena arena;
        const struct policy *policy = NULL;
        char *exact = malloc(count + 1); /* no room behind it: the sanitizer sees a step too far */
        assert_non_null(exact);
        memcpy(exact, block->text, count);
        char *start = realloc(exact, count > 0 ? count : 1);
        assert_non_null(start);
        arena_init(&arena, POLICY_ARENA_BYTES);
        status result = policy_read_text(start, count, "p.yaml", &arena, &policy, NULL);
        assert_true(result == DITHER_INVALID || (result == DITHER_OK && policy != NULL));
        arena_free(&arena);
        free(start);
    }
}

static void for_each(void (*act)(const struct block *block))
{
    const char *source = getenv("SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/policy/policies.txt", source != NULL ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static struct block block;
    size_t blocks = 0;
    for (; read_block(file, &block); blocks++)
        act(&block);
    fclose(file);
    assert_true(blocks > 100);
}

static void each_policy_gives_the_line_and_words_under_it(void **state)
{
    (void)state;
    for_each(check);
    assert_int_equal(wrong, 0);
}

static void a_policy_cut_off_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    for_each(cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_policy_gives_the_line_and_words_under_it),
        cmocka_unit_test(a_policy_cut_off_anywhere_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
