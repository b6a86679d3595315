#include "cli/draft_yaml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

/* A text that YAML reads as nothing else, plain or in double quotes. */
static void put_text(struct buffer *out, const char *text)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    bool plain = isalpha((unsigned char)text[0]) || text[0] == '_' || text[0] == '/';
    for (const char *at = text; plain && *at != '\0'; at++)
        plain = isalnum((unsigned char)*at) || strchr("_-./", *at) != NULL;
    for (size_t i = 0; plain && i < sizeof words / sizeof words[0]; i++)
        plain = strcasecmp(text, words[i]) != 0;
    if (plain) {
        buffer_text(out, text);
        return;
    }
    buffer_byte(out, '"');
    for (const char *at = text; *at != '\0'; at++)
        if (*at == '"' || *at == '\\')
            buffer_format(out, "\\%c", *at);
        else
            buffer_byte(out, *at);
    buffer_byte(out, '"');
}

static status check_name(const char *name, const char *what, error *why)
{
    if (name[0] == '\0')
        return fail(why, DITHER_INVALID, "a %s has no name", what);
    for (const char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return fail(why, DITHER_INVALID, "the name of a %s has a control character in it", what);
    if (strlen(name) > POLICY_NAME_BYTES)
        return fail(why, DITHER_INVALID, "the name of the %s \"%.80s\" has more than %d bytes", what, name,
                    POLICY_NAME_BYTES);
    return DITHER_OK;
}

/* Files that are not what they seem: then a row of data would become names in a policy. No name is repeated. */
static status check_header(const struct draft_table *table, error *why)
{
    static const char separators[] = ";\t|";
    if (table->column_count == 1 && strpbrk(table->columns[0].name, separators) != NULL)
        return fail(why, DITHER_INVALID,
                    "%.200s has one column: fields are separated by commas, not by ; or tabs",
                    table->file != NULL ? table->file : table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].name;
        if (name[0] != '\0' && strspn(name, "0123456789.+-eE") == strlen(name) &&
            strpbrk(name, "0123456789") != NULL)
            return fail(why, DITHER_INVALID,
                        "%.200s: a column is called by a number; the first line must hold names",
                        table->file != NULL ? table->file : table->name);
    }
    return DITHER_OK;
}

static status check_names(const struct draft *draft, error *why)
{
    for (size_t i = 0; i < draft->table_count; i++) {
        const struct draft_table *table = &draft->tables[i];
        TRY(check_name(table->name, "table", why));
        TRY(check_header(table, why));
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(draft->tables[j].name, table->name) == 0)
                return fail(why, DITHER_INVALID, "two tables are called \"%s\"; rename a file", table->name);
        for (size_t j = 0; j < table->column_count; j++) {
            TRY(check_name(table->columns[j].name, "column", why));
            for (size_t k = 0; k < j; k++)
                if (strcasecmp(table->columns[k].name, table->columns[j].name) == 0)
                    return fail(why, DITHER_INVALID, "table \"%s\" has two columns called \"%s\"",
                                table->name, table->columns[j].name);
        }
    }
    return DITHER_OK;
}

/* ---- Columns ---- */

static bool is_key(const struct draft_guess *guess, size_t column)
{
    int number = (int)column;
    return number == guess->own_key || number == guess->unit || number == guess->key;
}

/* Whether a column is a key of this table, or another table's key points to it, or it is called like one. */
static bool is_some_key(const struct draft *draft, const struct draft_guess *guesses, size_t table,
                        size_t column)
{
    for (size_t i = 0; i < draft->table_count; i++)
        if (guesses[i].parent == (int)table && guesses[i].parent_column == (int)column)
            return true;
    return is_key(&guesses[table], column) || draft_is_id(draft->tables[table].columns[column].name);
}

static void put_type(struct buffer *out, const struct draft_column *column)
{
    buffer_format(out, "{type: %s", policy_type_name(column->type));
    if (column->type == POLICY_DECIMAL)
        buffer_format(out, ", scale: %d", column->scale);
    if (column->not_null)
        buffer_text(out, ", null: false");
}

static bool can_be_summed(enum policy_type type)
{
    return type == POLICY_INTEGER || type == POLICY_REAL || type == POLICY_DECIMAL;
}

/* A number has a range, or its line is one for the owner to fill in. Flow style has no room for a comment, so
 * that such a column takes several lines. */
static void put_number(struct buffer *out, const struct draft_column *column)
{
    buffer_format(out, "\n        type: %s\n", policy_type_name(column->type));
    if (column->type == POLICY_DECIMAL)
        buffer_format(out, "        scale: %d\n", column->scale);
    if (column->not_null)
        buffer_text(out, "        null: false\n");
    buffer_text(out,
                "        range:         # fill in: [least, most]; or remove the line: never summed then\n");
}

static void put_column(struct buffer *out, const struct draft_column *column, bool key)
{
    buffer_text(out, "      ");
    put_text(out, column->name);
    buffer_byte(out, ':');
    bool range = column->lower != NULL && column->upper != NULL && !key;
    if (can_be_summed(column->type) && !key && !range) {
        put_number(out, column);
        return;
    }
    buffer_byte(out, ' ');
    put_type(out, column);
    if (range)
        buffer_format(out, ", range: [%s, %s], peeked: true", column->lower, column->upper);
    buffer_byte(out, '}');
    if (column->type == POLICY_TEXT && !key)
        buffer_text(out, "   # if its values are public: values: [one, another]");
    buffer_byte(out, '\n');
}

/* ---- Tables ---- */

static void put_caps(struct buffer *out)
{
    buffer_text(out, "    max_rows:          # fill in: how many rows of one unit count in a group\n"
                     "    max_groups:        # fill in: in how many groups one unit counts\n");
}

static void put_protection(struct buffer *out, const struct draft *draft, const struct draft_guess *guess,
                           const struct draft_table *table)
{
    if (guess->parent != DRAFT_NONE) {
        const struct draft_table *parent = &draft->tables[guess->parent];
        buffer_text(out, "    join: {");
        put_text(out, table->columns[guess->key].name);
        buffer_text(out, ": ");
        put_text(out, parent->name);
        buffer_byte(out, '.');
        buffer_text(out, parent->columns[guess->parent_column].name);
        buffer_text(out, "}   # guessed from names: whose is a row? `public: true` if nobody's\n");
        put_caps(out);
    } else if (guess->unit == DRAFT_NONE) {
        buffer_text(
            out,
            "    unit:              # fill in: the column that says whose a row is; or `row`; or instead "
            "public: true\n");
        put_caps(out);
    } else {
        buffer_text(out, "    unit: ");
        put_text(out, table->columns[guess->unit].name);
        buffer_text(out, "   # guessed from its name: who is protected? `public: true` instead, if nobody\n");
        if (guess->unit == guess->own_key)
            buffer_text(out, "    rows_per_unit: 1   # guessed; `dither check --data` proves it\n");
        else
            put_caps(out);
    }
}

static void put_table(struct buffer *out, const struct draft *draft, const struct draft_guess *guesses,
                      size_t index, const char *source)
{
    const struct draft_table *table = &draft->tables[index];
    buffer_text(out, "  ");
    put_text(out, table->name);
    buffer_text(out, ":\n");
    if (source != NULL) {
        buffer_text(out, "    source: ");
        put_text(out, source);
        buffer_byte(out, '\n');
    }
    put_protection(out, draft, &guesses[index], table);
    buffer_text(out, "    columns:\n");
    for (size_t i = 0; i < table->column_count; i++)
        put_column(out, &table->columns[i], is_some_key(draft, guesses, index, i));
}

/* ---- The whole ---- */

/* CSV declares no types. */
static bool has_csv(const struct draft *draft)
{
    for (size_t i = 0; i < draft->table_count; i++) {
        const char *point = draft->tables[i].file != NULL ? strrchr(draft->tables[i].file, '.') : NULL;
        if (point != NULL && strcasecmp(point, ".csv") == 0)
            return true;
    }
    return false;
}

/* As the owner says; or as the database's file is called, or the first table. */
static void put_dataset(struct buffer *out, const struct draft *draft, const struct draft_request *request)
{
    if (request->dataset != NULL || draft->database == NULL) {
        put_text(out, request->dataset != NULL ? request->dataset : draft->tables[0].name);
        return;
    }
    const char *slash = strrchr(draft->database, '/'), *name = slash != NULL ? slash + 1 : draft->database;
    char stem[POLICY_NAME_BYTES + 1];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    put_text(out, stem[0] != '\0' ? stem : draft->tables[0].name);
}

static void put_opening(struct buffer *out, const struct draft *draft, const struct draft_request *request)
{
    buffer_text(out,
                "# A draft by `dither init`, for the owner of the data to finish. Fill in what is empty,\n"
                "# correct what is guessed, remove columns that nobody needs to ask about; then `dither\n"
                "# check` it. docs/owner.md says how to choose.\n");
    if (request->peek)
        buffer_text(
            out, "# Ranges marked `peeked` came from looking at the data. That was the owner's act, and no\n"
                 "# private release: put in bounds that you would have written without looking, and\n"
                 "# remove the mark. Nothing is answered before.\n");
    else if (has_csv(draft))
        buffer_text(
            out, "# No cell was looked at: types are guessed from names. A cell that does not fit its type\n"
                 "# is NULL; `dither check --data` counts them.\n");
    buffer_text(out, "dataset: ");
    put_dataset(out, draft, request);
    buffer_text(out, "\nversion: 1             # of the data; raise it when rows change\n");
    if (request->database != NULL) {
        buffer_text(out, "engine: {duckdb: ");
        put_text(out, request->database);
        buffer_text(out, "}\n");
    }
}

static void put_closing(struct buffer *out)
{
    buffer_text(
        out,
        "budget:\n"
        "  epsilon: 1           # how much may ever be learnt, by everybody together: docs/epsilon.md\n"
        "  delta: 1e-6          # far below one over the number of units; without it, keys must be public\n"
        "  per_question: 0.1    # what a question costs when the analyst does not say\n"
        "  delta_per_question: 1e-8\n");
}

status draft_yaml(const struct draft *draft, const struct draft_request *request, struct buffer *out,
                  error *why)
{
    TRY(check_names(draft, why));
    size_t size = draft->table_count * sizeof(struct draft_guess);
    struct draft_guess *guesses = memory_allocate(size);
    if (guesses == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    draft_guess(draft, guesses);
    put_opening(out, draft, request);
    buffer_text(out, "tables:\n");
    for (size_t i = 0; i < draft->table_count; i++)
        put_table(out, draft, guesses, i, request->sources != NULL ? request->sources[i] : NULL);
    put_closing(out);
    memory_release(guesses, size);
    return buffer_check(out, why);
}
