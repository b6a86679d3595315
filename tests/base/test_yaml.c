/* The YAML reader: a tree with places; what surprises is refused with its line. The corpus of bad files is
 * replayed whole and cut off at every byte, and every allocation is made to fail once. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/yaml.h"
#include "tests/support/corpus.h"

static const char policy[] = "dataset: hospital   # a comment\n"
                             "version: 1\n"
                             "tables:\n"
                             "  patients:\n"
                             "    unit: \"row\"\n"
                             "    columns:\n"
                             "      age: {type: integer, range: [0, 120]}\n"
                             "      region: {values: [north, 'no', south]}\n"
                             "empty:\n";

static void a_file_becomes_a_tree_with_places(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    const struct yaml_node *root = NULL;
    error why;
    assert_int_equal(yaml_read(policy, sizeof policy - 1, "p.yaml", &arena, &root, &why), DITHER_OK);
    assert_int_equal(root->kind, YAML_MAP);
    assert_int_equal(root->count, 4);
    assert_string_equal(root->first->key, "dataset");
    assert_string_equal(root->first->text, "hospital");
    assert_int_equal(root->first->length, 8);

    const struct yaml_node *patients = yaml_find(yaml_find(root, "tables"), "patients");
    assert_int_equal(patients->key_line, 4);
    assert_int_equal(patients->key_column, 3);
    assert_true(yaml_find(patients, "unit")->quoted);
    const struct yaml_node *columns = yaml_find(patients, "columns");
    const struct yaml_node *range = yaml_find(yaml_find(columns, "age"), "range");
    assert_int_equal(range->kind, YAML_LIST);
    assert_int_equal(range->line, 7);
    assert_int_equal(range->column, 35);
    assert_int_equal(range->count, 2);
    assert_string_equal(range->first->next->text, "120");
    assert_null(range->first->next->next);
    const struct yaml_node *values = yaml_find(yaml_find(columns, "region"), "values");
    assert_false(values->first->quoted);
    assert_true(values->first->next->quoted);
    assert_string_equal(values->first->next->text, "no");
    assert_string_equal(yaml_find(root, "empty")->text, "");
    assert_null(yaml_find(root, "nothing"));
    assert_null(yaml_find(range, "0"));
    arena_free(&arena);
}

static status read_text(const char *text, size_t length, error *why)
{
    struct arena arena;
    arena_init(&arena, 64 << 20);
    const struct yaml_node *root = NULL;
    status result = yaml_read(text, length, "p.yaml", &arena, &root, why);
    assert_true(result != DITHER_OK || root != NULL);
    arena_free(&arena);
    return result;
}

static void what_surprises_is_refused_with_its_place(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"a: &x 1\n", "p.yaml:1:4: anchors (&name) are not understood here"},
        {"a: 1\nb: *x\n", "p.yaml:2:4: aliases (*name) are not understood here"},
        {"a: !!str 1\n", "p.yaml:1:4: tags (!name) are not understood here"},
        {"a: ! [1]\n", "p.yaml:1:4: tags (!name) are not understood here"},
        {"a: 1\nb: 2\na: 3\n", "p.yaml:3:1: \"a\" is given twice; the first is in line 1"},
        {"x: {k: 1, j: 2, k: 3}\n", "p.yaml:1:17: \"k\" is given twice; the first is in line 1"},
        {"a: 1\n'a': 3\n", "p.yaml:2:1: \"a\" is given twice; the first is in line 1"},
        {"? [1, 2]\n: 3\n", "p.yaml:1:3: a key must be a plain word or text"},
        {"a: 1\n---\nb: 2\n", "p.yaml:2:1: a second document begins here; only one is read"},
        {"%YAML 1.1\n---\na: 1\n", "p.yaml:1:1: directives (%...) are not understood here"},
        {"", "p.yaml:1:1: the file is empty"},
        {"# only a comment\n", "p.yaml:2:1: the file is empty"},
        {"a: \"x\\0y\"\n", "p.yaml:1:4: a NUL in a text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        error why = {.message = "accepted"};
        assert_int_equal(read_text(cases[i].text, strlen(cases[i].text), &why), DITHER_INVALID);
        assert_string_equal(why.message, cases[i].message);
    }
    error why;
    assert_int_equal(read_text("a: [1\nb: 2\n", 11, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "p.yaml:2:"));
    assert_int_equal(read_text("a: \xFF\xFE\n", 6, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "p.yaml: "));
}

static void the_limits_hold(void **state)
{
    (void)state;
    struct buffer text;
    error why;
    buffer_init(&text, 8 << 20);
    for (int i = 0; i < YAML_DEPTH; i++)
        buffer_byte(&text, '[');
    for (int i = 0; i < YAML_DEPTH; i++)
        buffer_byte(&text, ']');
    assert_int_equal(read_text(text.data, text.length, &why), DITHER_OK);
    buffer_clear(&text);
    for (int i = 0; i < 100000; i++)
        buffer_byte(&text, '[');
    assert_int_equal(read_text(text.data, text.length, &why), DITHER_INVALID);
    assert_string_equal(why.message, "p.yaml:1:33: nested too deeply");
    buffer_clear(&text);
    for (int i = 0; i < YAML_NODES; i++) /* and the list itself is one more */
        buffer_text(&text, "- 1\n");
    assert_int_equal(read_text(text.data, text.length, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "too many parts"));
    buffer_clear(&text);
    buffer_text(&text, "- 1 #");
    while (text.length <= YAML_BYTES)
        buffer_text(&text, "0123456789012345678901234567890123456789");
    assert_int_equal(read_text(text.data, text.length, &why), DITHER_INVALID);
    assert_string_equal(why.message, "p.yaml: larger than the 4194304 bytes that are allowed");
    buffer_free(&text);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        memory_fail_at(n);
        status result = read_text(policy, sizeof policy - 1, NULL);
        int failed = memory_has_failed();
        memory_fail_at(0);
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        if (!failed)
            break;
        assert_true(n < 100);
    }
}

static void replay(const char *name, const char *bytes, size_t count, bool accept)
{
    error why;
    status result = read_text(bytes, count, &why);
    if ((result == DITHER_OK) != accept)
        fail_msg("%s: %s", name, result == DITHER_OK ? "accepted" : why.message);
    for (size_t cut = 0; cut < count; cut++) {
        result = read_text(bytes, cut, &why);
        assert_true(result == DITHER_OK || result == DITHER_INVALID);
    }
}

static void the_corpus_replays(void **state)
{
    (void)state;
    corpus_walk("yaml", 15, replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_tree_with_places),
        cmocka_unit_test(what_surprises_is_refused_with_its_place),
        cmocka_unit_test(the_limits_hold),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(the_corpus_replays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
