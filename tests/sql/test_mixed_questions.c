/* Questions made of pieces of other questions: thousands that nobody thought of. Whatever is accepted keeps the rules
 * of tagged relations, which are checked here once more, node by node, by other code than that which made the plan.
 * Whatever is refused says why, and where. The mixing is the same on every run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/test.h"
#include "tests/support/town.h"

enum { MOST_QUESTIONS = 600, MOST_TOKENS = 400, ROUNDS = 4000 };

/* ---- The rules, node by node ---- */

static void check_relation(const struct sql_relation *relation);

static void check_scalars(const struct sql_expression *expression)
{
    if (expression == NULL)
        return;
    if (expression->kind == SQL_SCALAR) {
        assert_int_not_equal(expression->relation->place, SQL_TAGGED);
        check_relation(expression->relation);
    }
    for (size_t i = 0; i < expression->argument_count; i++)
        check_scalars(expression->arguments[i]);
}

/* The column holds the unit of its row: followed down to the tag of a scan, it meets nothing but plain copies,
 * sides of joins that are preserved, keys, and both sides of UNION ALL. */
static bool is_unit(const struct sql_relation *relation, size_t column)
{
    const struct sql_expression *made = NULL;
    switch (relation->kind) {
    case SQL_SCAN: {
        const struct policy_table *table = relation->table->declared;
        if (column == relation->table->column_count)
            return table->protection != POLICY_PUBLIC;
        return table->protection != POLICY_PUBLIC && table->joins == 0 && table->tag != NULL &&
               table->tag == &relation->table->columns[column];
    }
    case SQL_FILTER:
    case SQL_SEMI_JOIN:
        return is_unit(relation->input, column);
    case SQL_WINDOW:
        return column < relation->input->column_count && is_unit(relation->input, column);
    case SQL_PROJECT:
    case SQL_AGGREGATE:
        made = column < relation->expression_count ? relation->expressions[column] : NULL;
        return made != NULL && made->kind == SQL_COLUMN && is_unit(relation->input, made->column);
    case SQL_JOIN:
        if (column < relation->input->column_count)
            return relation->join != SQL_RIGHT && relation->join != SQL_FULL &&
                   is_unit(relation->input, column);
        return relation->join != SQL_LEFT && relation->join != SQL_FULL &&
               is_unit(relation->right, column - relation->input->column_count);
    case SQL_APPEND:
        return is_unit(relation->input, column) && is_unit(relation->right, column);
    default:
        return false;
    }
}

static bool any_is_unit(const struct sql_relation *input, const struct sql_expression *const *expressions,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (expressions[i]->kind == SQL_COLUMN && is_unit(input, expressions[i]->column))
            return true;
    return false;
}

/* Proved here by the shortest ways only: a plan that claims it on other grounds fails the test. */
static bool has_one_row(const struct sql_relation *relation)
{
    switch (relation->kind) {
    case SQL_SCAN:
        return sql_table_one_row_per_unit(relation->table);
    case SQL_PROJECT:
    case SQL_SEMI_JOIN:
    case SQL_WINDOW:
        return has_one_row(relation->input);
    case SQL_FILTER: /* or the first row of each unit, see test_relation.c */
        return has_one_row(relation->input) || relation->one_row;
    case SQL_AGGREGATE: /* or by keys that are the same on all rows of a unit */
        return relation->expression_count == 1 || relation->one_row;
    case SQL_JOIN:
        if (relation->input->place == SQL_TAGGED && !has_one_row(relation->input))
            return false;
        return relation->right->place != SQL_TAGGED || has_one_row(relation->right);
    default:
        return false;
    }
}

static void check_tagged(const struct sql_relation *relation)
{
    const struct sql_relation *left = relation->input, *right = relation->right;
    assert_non_null(relation->unit);
    assert_true(relation->tag < relation->column_count);
    assert_true(is_unit(relation, relation->tag));
    for (size_t i = 0; i < relation->column_count; i++)
        if (relation->columns[i].unit)
            assert_true(is_unit(relation, i));
    if (relation->one_row)
        assert_true(has_one_row(relation));
    switch (relation->kind) {
    case SQL_JOIN:
        assert_true(left->place == SQL_TAGGED || relation->join == SQL_INNER || relation->join == SQL_RIGHT);
        assert_true(right->place == SQL_TAGGED || relation->join == SQL_INNER || relation->join == SQL_LEFT);
        if (left->place == SQL_TAGGED && right->place == SQL_TAGGED) {
            assert_ptr_equal(left->unit, right->unit);
            assert_non_null(relation->condition);
        }
        break;
    case SQL_SEMI_JOIN:
        assert_int_equal(left->place, SQL_TAGGED);
        break;
    case SQL_AGGREGATE:
        assert_true(any_is_unit(left, relation->expressions, relation->expression_count));
        for (size_t i = 0; i < relation->aggregate_count; i++)
            if (relation->aggregates[i].kind == SQL_TOTAL || relation->aggregates[i].kind == SQL_AVERAGE)
                assert_int_not_equal(relation->aggregates[i].argument->type, SQL_REAL);
        break;
    case SQL_WINDOW:
        for (size_t i = 0; i < relation->window_count; i++)
            assert_true(
                any_is_unit(left, relation->windows[i].partition, relation->windows[i].partition_count));
        break;
    case SQL_APPEND:
        assert_ptr_equal(left->unit, right->unit);
        assert_false(relation->one_row);
        break;
    case SQL_SCAN:
    case SQL_FILTER:
    case SQL_PROJECT:
        break;
    default:
        fail_msg("a relation of kind %d is tagged", (int)relation->kind);
    }
}

static void check_relation(const struct sql_relation *relation)
{
    if (relation == NULL)
        return;
    if (relation->place == SQL_TAGGED) {
        check_tagged(relation);
    } else if (relation->kind == SQL_RELEASE) {
        assert_int_equal(relation->release->input->place, SQL_TAGGED);
        check_relation(relation->release->input);
        if (relation->release->one_row)
            assert_true(relation->release->input->one_row);
        if (relation->release->domain != NULL)
            assert_int_equal(relation->release->domain->place, SQL_PUBLIC);
    } else {
        assert_true(relation->input == NULL || relation->input->place != SQL_TAGGED);
        assert_true(relation->right == NULL || relation->right->place != SQL_TAGGED);
    }
    check_scalars(relation->condition);
    for (size_t i = 0; i < relation->expression_count; i++)
        check_scalars(relation->expressions[i]);
    check_relation(relation->input);
    check_relation(relation->right);
}

/* ---- Mixing ---- */

struct tokens {
    const char *starts[MOST_TOKENS];
    size_t lengths[MOST_TOKENS];
    size_t count;
};

static bool is_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '.';
}

static void cut(const char *text, struct tokens *out)
{
    out->count = 0;
    while (*text != '\0' && out->count < MOST_TOKENS) {
        size_t length = 1;
        if (is_word(*text))
            while (is_word(text[length]))
                length++;
        if (strchr("<>=!|:", *text) != NULL)
            length = strspn(text, "<>=!|:");
        if (*text == '\'')
            length = strcspn(text + 1, "'") + 2;
        if (*text != ' ' && *text != '\n') {
            out->starts[out->count] = text;
            out->lengths[out->count++] = length;
        }
        text += length;
    }
}

static uint64_t random_state;

static size_t below(size_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % limit;
}

static void add(struct buffer *out, const struct tokens *tokens, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < tokens->count; i++) {
        buffer_append(out, tokens->starts[i], tokens->lengths[i]);
        buffer_byte(out, ' ');
    }
}

/* One word of `a` replaced by one of `b`, most of the time; else some tokens by some. */
static void mix(const struct tokens *a, const struct tokens *b, struct buffer *out)
{
    size_t from = below(a->count), start = below(b->count), left_out = 1, taken = 1;
    if (below(4) == 0) {
        left_out = below(4);
        taken = below(8);
    } else {
        for (size_t tries = 0; tries < 20 && !is_word(*a->starts[from]); tries++)
            from = below(a->count);
        for (size_t tries = 0; tries < 20 && !is_word(*b->starts[start]); tries++)
            start = below(b->count);
    }
    buffer_clear(out);
    add(out, a, 0, from);
    add(out, b, start, start + taken);
    add(out, a, from + left_out, a->count);
    buffer_byte(out, '\0');
}

/* ---- The test ---- */

static struct arena lasting;
static char *questions[MOST_QUESTIONS];
static size_t question_count;

static void collect(const char *file)
{
    char *text = town_read(file), *rest = text;
    struct town_block *block = calloc(1, sizeof *block);
    int line = 0;
    while (town_next_block(&rest, &line, block) && question_count < MOST_QUESTIONS)
        questions[question_count++] = strdup(block->question);
    free(block);
    free(text);
}

static int begin(void **state)
{
    (void)state;
    arena_init(&lasting, POLICY_ARENA_BYTES);
    collect("accepted.sql");
    collect("refusals.sql");
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < question_count; i++)
        free(questions[i]);
    arena_free(&lasting);
    return 0;
}

static const struct sql_rows *give_nothing(void *context, const struct sql_relation *relation)
{
    (void)context;
    (void)relation;
    return NULL;
}

/* The printers assert what they rely on. */
static void print_plan(const struct sql_plan *plan)
{
    struct buffer text;
    buffer_init(&text, 64 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &text, .given = give_nothing};
    for (size_t i = 0; i < plan->release_count; i++)
        sql_print_relation(&printer, plan->releases[i]->input);
    printer.scratch = true;
    sql_print_relation(&printer, plan->result);
    assert_false(text.failed);
    assert_null(memmem(text.data, text.length, "pg_", 3));
    buffer_free(&text);
}

static bool try_question(const struct sql_catalogue *catalogue, const char *text)
{
    struct arena arena;
    struct sql_options options = {.other = false};
    const struct sql_plan *plan = NULL;
    error why = {.message = "", .position = -1};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result = sql_plan(text, strlen(text), catalogue, &options, &arena, &plan, &why);
    if (result == DITHER_OK) {
        assert_int_not_equal(plan->result->place, SQL_TAGGED);
        check_relation(plan->result);
        print_plan(plan);
    } else {
        assert_true(why.message[0] != '\0');
        assert_true(why.position >= -1 && why.position <= (int)strlen(text));
    }
    arena_free(&arena);
    return result == DITHER_OK;
}

static void what_the_files_accept_keeps_the_rules(void **state)
{
    (void)state;
    const struct sql_catalogue *catalogue = town_catalogue(&lasting);
    size_t accepted = 0;
    for (size_t i = 0; i < question_count; i++)
        accepted += try_question(catalogue, questions[i]);
    assert_true(accepted >= 80);
}

static void mixed_questions_keep_the_rules_or_are_refused_with_words(void **state)
{
    (void)state;
    const struct sql_catalogue *catalogue = town_catalogue(&lasting);
    struct tokens *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    struct buffer text;
    size_t accepted = 0;
    random_state = 20260101;
    buffer_init(&text, SQL_TEXT_BYTES);
    for (size_t round = 0; round < ROUNDS; round++) {
        cut(questions[below(question_count)], a);
        cut(questions[below(question_count)], b);
        mix(a, b, &text);
        assert_false(text.failed);
        accepted += try_question(catalogue, text.data);
    }
    buffer_free(&text);
    free(a);
    free(b);
    assert_true(accepted > ROUNDS / 50); /* else the mixing shows nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_files_accept_keeps_the_rules),
        cmocka_unit_test(mixed_questions_keep_the_rules_or_are_refused_with_words),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
