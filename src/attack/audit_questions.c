/* Questions for any policy, from patterns.
 *
 * A pattern names what it needs in braces: {T} a private table; in it {u} the unit's column, {n} and {m} columns with a range, {s}
 * the middle of n's, {k} and {j} keys with a public domain, {h} a key without, {v} a column with few public values, {d} a date;
 * {P} a public table, {p} a text column of it, {c} a column that both have; {A} the table that T points to, {a} a public key of it,
 * {K} the condition that joins T (as x) with it (as y). A table without one of these has no such question. What Dither refuses
 * is refused for all data alike, which the checks look at too. */
#include <math.h>

#include "attack/audit_parts.h"

struct pattern {
    const char *kind, *text;
    bool square; /* its work grows with the square of a person's rows */
    bool brief;  /* asked in a short audit too */
};

static const struct pattern patterns[] = {
    {"count", "SELECT count(*) FROM {T}", false, true},
    {"people", "SELECT count(DISTINCT {u}) FROM {T}", false, true},
    {"count by public key", "SELECT {k}, count(*) FROM {T} GROUP BY {k}", false, false},
    {"people by public key", "SELECT {k}, count(DISTINCT {u}) FROM {T} GROUP BY {k}", false, false},
    {"count and sum by public key", "SELECT {k}, count(*), sum({n}) FROM {T} GROUP BY {k}", false, true},
    {"count by two public keys", "SELECT {k}, {j}, count(*) FROM {T} GROUP BY {k}, {j}", false, false},
    {"rollup", "SELECT {k}, {j}, count(*) FROM {T} GROUP BY ROLLUP ({k}, {j})", false, false},
    {"count by hidden key", "SELECT {h}, count(*) FROM {T} GROUP BY {h}", false, false},
    {"sum by hidden key", "SELECT {h}, count(*), sum({n}) FROM {T} GROUP BY {h}", false, true},
    {"sum", "SELECT sum({n}) FROM {T}", false, false},
    {"sum of another column", "SELECT sum({m}) FROM {T}", false, false},
    {"shifted sum", "SELECT sum({n} - {s}) FROM {T}", false, true},
    {"scaled sum", "SELECT sum({n} * 0.001) FROM {T}", false, true},
    {"narrowed sum", "SELECT sum({n}) FROM {T} WHERE {n} <= {s}", false, true},
    {"filtered", "SELECT count(*) FILTER (WHERE {n} > {s}), sum({n}) FILTER (WHERE {n} > {s}) FROM {T}",
     false, false},
    {"cases", "SELECT sum(CASE WHEN {n} > {s} THEN {n} ELSE 0 END) FROM {T}", false, false},
    {"product", "SELECT sum({n} * {m}) FROM {T}", false, false},
    {"distinct values", "SELECT count(DISTINCT {n}), sum(DISTINCT {n}) FROM {T}", false, true},
    {"distinct values by key", "SELECT {k}, count(DISTINCT {n}) FROM {T} GROUP BY {k}", false, false},
    {"average", "SELECT {k}, avg({n}) FROM {T} GROUP BY {k}", false, false},
    {"deviation", "SELECT stddev({n}), avg({n}) FROM {T}", false, false},
    {"correlation", "SELECT corr({n}, {m}) FROM {T}", false, false},
    {"median", "SELECT median({n}) FROM {T}", false, true},
    {"extremes", "SELECT min({n}), max({n}) FROM {T}", false, false},
    {"top", "SELECT approx_top_k({v}, 1) FROM {T}", false, false},
    {"times a public table", "SELECT count(*), sum({n}) FROM {T} CROSS JOIN {P}", false, true},
    {"times a public table, by its key",
     "SELECT {P}.{p}, count(*), sum({n}) FROM {T} CROSS JOIN {P} GROUP BY {P}.{p}", false, true},
    {"joined with a public table", "SELECT count(*), sum({n}) FROM {T} JOIN {P} USING ({c})", false, false},
    {"joined with a public table, by its key",
     "SELECT {P}.{p}, count(*), sum({n}) FROM {T} JOIN {P} USING ({c}) GROUP BY {P}.{p}", false, true},
    {"twice", "SELECT count(*), sum({n}) FROM (SELECT * FROM {T} UNION ALL SELECT * FROM {T}) x", false,
     false},
    {"twice, by key",
     "SELECT {k}, count(*) FROM (SELECT * FROM {T} UNION ALL SELECT * FROM {T}) x GROUP BY {k}", false, true},
    {"joined with itself", "SELECT count(*), sum(x.{n}) FROM {T} x JOIN {T} y USING ({u})", true, true},
    {"own total", "SELECT sum(t) FROM (SELECT {u}, sum({n}) AS t FROM {T} GROUP BY {u}) x", false, false},
    {"own count as a key",
     "SELECT c, count(*) FROM (SELECT {u}, count(*) AS c FROM {T} GROUP BY {u}) x GROUP BY c", false, true},
    {"own average", "SELECT sum(t) FROM (SELECT {u}, avg({n}) AS t FROM {T} GROUP BY {u}) x", false, false},
    {"own extremes",
     "SELECT sum(t), sum(b) FROM (SELECT {u}, max({n}) AS t, min({n}) AS b FROM {T} GROUP BY {u}) x", false,
     false},
    {"own totals by key",
     "SELECT {k}, sum(t) FROM (SELECT {u}, {k}, sum({n}) AS t FROM {T} GROUP BY {u}, {k}) x GROUP BY {k}",
     false, true},
    {"first row",
     "SELECT count(*), sum({n}) FROM (SELECT *, row_number() OVER (PARTITION BY {u} ORDER BY {d}) AS r FROM "
     "{T}) x "
     "WHERE r = 1",
     false, true},
    {"row before",
     "SELECT sum(b) FROM (SELECT {u}, lag({n}) OVER (PARTITION BY {u} ORDER BY {d}) AS b FROM {T}) x", false,
     false},
    {"running total",
     "SELECT sum(b) FROM (SELECT {u}, sum({n}) OVER (PARTITION BY {u} ORDER BY {d} ROWS UNBOUNDED PRECEDING) "
     "AS b "
     "FROM {T}) x",
     false, false},
    {"with its parent", "SELECT count(*), sum(x.{n}) FROM {T} x JOIN {A} y ON {K}", false, false},
    {"by its parent's key", "SELECT y.{a}, count(*), sum(x.{n}) FROM {T} x JOIN {A} y ON {K} GROUP BY y.{a}",
     false, true},
    {"parents with or without", "SELECT count(*), count(x.{n}), sum(x.{n}) FROM {A} y LEFT JOIN {T} x ON {K}",
     false, false},
    {"parents that have some", "SELECT count(*) FROM {A} y WHERE EXISTS (SELECT 1 FROM {T} x WHERE {K})",
     false, false},
    {"parents that have none",
     "SELECT y.{a}, count(*) FROM {A} y WHERE NOT EXISTS (SELECT 1 FROM {T} x WHERE {K}) "
     "GROUP BY y.{a}",
     false, true},
};

/* ---- Columns ---- */

enum { MOST_KEYS = 5000, FEW_VALUES = 20 };

void audit_print_name(struct buffer *out, const char *name)
{
    buffer_byte(out, '"');
    for (const char *at = name; *at != '\0'; at++)
        buffer_format(out, *at == '"' ? "\"%c" : "%c", *at);
    buffer_byte(out, '"');
}

const struct policy_column *audit_public_key(const struct audit_run *run, const struct policy_table *table,
                                             uint64_t most, size_t skip)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (!audit_data_is_key(run->policy, table, &table->columns[i]) &&
            audit_cell_domain(&table->columns[i], most) > 0 && skip-- == 0)
            return &table->columns[i];
    return NULL;
}

const struct policy_column *audit_hidden_key(const struct audit_run *run, const struct policy_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].type == POLICY_TEXT && table->columns[i].value_count == 0 &&
            !audit_data_is_key(run->policy, table, &table->columns[i]))
            return &table->columns[i];
    return NULL;
}

static bool is_number(const struct policy_column *column)
{
    return column->type == POLICY_INTEGER || column->type == POLICY_REAL || column->type == POLICY_DECIMAL;
}

/* Reals first: they have the most to get wrong. */
const struct policy_column *audit_number_column(const struct audit_run *run, const struct policy_table *table,
                                                size_t skip)
{
    for (int reals = 1; reals >= 0; reals--)
        for (size_t i = 0; i < table->column_count; i++) {
            const struct policy_column *column = &table->columns[i];
            if (is_number(column) && column->has_range && (column->type == POLICY_REAL) == (reals == 1) &&
                !audit_data_is_key(run->policy, table, column) && skip-- == 0)
                return column;
        }
    return NULL;
}

static const struct policy_column *date_column(const struct policy_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].type == POLICY_DATE || table->columns[i].type == POLICY_TIMESTAMP)
            return &table->columns[i];
    return NULL;
}

const char *audit_unit_name(const struct policy_table *table)
{
    if (table->protection == POLICY_UNIT_COLUMN)
        return table->unit_column->name;
    return table->protection == POLICY_UNIT_JOIN && table->joins == 0 ? table->tag->name : NULL;
}

/* ---- Public tables ---- */

static const struct policy_table *public_table(const struct audit_run *run)
{
    for (size_t i = 0; i < run->policy->table_count; i++)
        if (run->policy->tables[i].protection == POLICY_PUBLIC && run->policy->tables[i].column_count > 0)
            return &run->policy->tables[i];
    return NULL;
}

static const struct policy_column *common_column(const struct policy_table *table,
                                                 const struct policy_table *other)
{
    for (size_t i = 0; other != NULL && i < table->column_count; i++) {
        const struct policy_column *found = policy_find_column(other, table->columns[i].name);
        if (found != NULL && found->type == table->columns[i].type)
            return found;
    }
    return NULL;
}

static const struct policy_column *text_column(const struct policy_table *table)
{
    for (size_t i = 0; table != NULL && i < table->column_count; i++)
        if (table->columns[i].type == POLICY_TEXT)
            return &table->columns[i];
    return NULL;
}

/* ---- Filling in ---- */

static bool print_column(const struct policy_column *column, struct buffer *out)
{
    if (column != NULL)
        audit_print_name(out, column->name);
    return column != NULL;
}

static bool print_table(const struct policy_table *table, struct buffer *out)
{
    if (table != NULL)
        audit_print_name(out, table->name);
    return table != NULL;
}

static bool print_middle(const struct policy_column *column, struct buffer *out)
{
    if (column == NULL)
        return false;
    if (column->type == POLICY_REAL)
        buffer_format(out, "%.17g", column->lower.real / 2 + column->upper.real / 2);
    else
        buffer_format(out, "%.17g",
                      (double)(column->lower.whole / 2 + column->upper.whole / 2) / pow(10, column->scale));
    return true;
}

static bool print_unit(const struct policy_table *table, struct buffer *out)
{
    const char *name = audit_unit_name(table);
    if (name != NULL)
        audit_print_name(out, name);
    return name != NULL;
}

static bool print_join(const struct policy_table *table, struct buffer *out)
{
    for (size_t i = 0; i < table->key_count; i++) {
        buffer_text(out, i > 0 ? " AND x." : "x.");
        audit_print_name(out, table->keys[i].column->name);
        buffer_text(out, " = y.");
        audit_print_name(out, table->keys[i].parent_column->name);
    }
    return table->key_count > 0;
}

static bool fill_in(const struct audit_run *run, const struct policy_table *table, char what,
                    struct buffer *out)
{
    switch (what) {
    case 'T':
        return print_table(table, out);
    case 'u':
        return print_unit(table, out);
    case 'n':
        return print_column(audit_number_column(run, table, 0), out);
    case 'm':
        return print_column(audit_number_column(run, table, 1), out);
    case 's':
        return print_middle(audit_number_column(run, table, 0), out);
    case 'k':
        return print_column(audit_public_key(run, table, MOST_KEYS, 0), out);
    case 'j':
        return print_column(audit_public_key(run, table, FEW_VALUES, 1), out);
    case 'v':
        return print_column(audit_public_key(run, table, FEW_VALUES, 0), out);
    case 'h':
        return print_column(audit_hidden_key(run, table), out);
    case 'd':
        return print_column(date_column(table), out);
    case 'P':
        return print_table(public_table(run), out);
    case 'p':
        return print_column(text_column(public_table(run)), out);
    case 'c':
        return print_column(common_column(table, public_table(run)), out);
    case 'A':
        return print_table(table->parent, out);
    case 'a':
        return table->parent != NULL && print_column(audit_public_key(run, table->parent, MOST_KEYS, 0), out);
    case 'K':
        return print_join(table, out);
    default:
        return false;
    }
}

static bool print_question(const struct audit_run *run, const struct policy_table *table, const char *pattern,
                           struct buffer *out)
{
    buffer_clear(out);
    for (const char *at = pattern; *at != '\0'; at++) {
        if (at[0] != '{') {
            buffer_byte(out, *at);
            continue;
        }
        if (!fill_in(run, table, at[1], out))
            return false;
        at += 2;
    }
    return true;
}

static status add_question(struct audit_run *run, const struct policy_table *table,
                           const struct pattern *pattern, struct buffer *text, struct audit_questions *out,
                           error *why)
{
    char *kept = NULL;
    if (!print_question(run, table, pattern->text, text))
        return DITHER_OK;
    TRY(buffer_check(text, why));
    TRY(arena_text(&run->arena, text->data, text->length, &kept, why));
    out->list[out->count++] = (struct audit_question){
        .kind = pattern->kind, .text = kept, .table = table, .square = pattern->square};
    return DITHER_OK;
}

status audit_questions_make(struct audit_run *run, struct audit_questions *out, error *why)
{
    const size_t pattern_count = sizeof patterns / sizeof patterns[0];
    struct buffer text;
    void *list = NULL;
    *out = (struct audit_questions){0};
    TRY(arena_take(&run->arena, run->policy->table_count * pattern_count * sizeof *out->list, &list, why));
    out->list = list;
    buffer_init(&text, 1 << 16);
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < run->policy->table_count; i++)
        for (size_t j = 0; result == DITHER_OK && j < pattern_count; j++)
            if (run->policy->tables[i].protection != POLICY_PUBLIC && (patterns[j].brief || !run->shortly))
                result = add_question(run, &run->policy->tables[i], &patterns[j], &text, out, why);
    buffer_free(&text);
    return result;
}
