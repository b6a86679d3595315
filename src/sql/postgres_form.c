#include "sql/postgres_form.h"

#include <assert.h>
#include <string.h>

#include "sql/function.h"

enum {
    SHORT_ARGUMENT_BYTES = 160, /* written out wherever it is named */
    FORM_BYTES = 1 << 24,
};

/* The arguments of one form, printed. */
struct filling {
    const struct sql_expression *expression;
    struct buffer arguments[POSTGRES_FORM_ARGUMENTS];
    bool named[POSTGRES_FORM_ARGUMENTS]; /* by the sub-select */
};

static size_t count_marks(const char *form, char mark)
{
    size_t count = 0;
    for (; *form != '\0'; form++)
        count += form[0] == '$' && form[1] == mark;
    return count;
}

static void print_arguments(struct sql_printer *printer, const char *form, struct filling *filling)
{
    struct buffer *outer = printer->buffer;
    for (size_t i = 0; i < filling->expression->argument_count; i++) {
        struct buffer *text = &filling->arguments[i];
        buffer_init(text, FORM_BYTES);
        printer->buffer = text;
        sql_print_expression(printer, filling->expression->arguments[i]);
        filling->named[i] = text->length > SHORT_ARGUMENT_BYTES && count_marks(form, (char)('1' + i)) > 1;
        outer->failed |= text->failed;
    }
    printer->buffer = outer;
}

static void print_power_of_ten(struct buffer *buffer, int exponent)
{
    buffer_byte(buffer, '1');
    while (exponent-- > 0)
        buffer_byte(buffer, '0');
}

static void print_mark(struct buffer *buffer, const struct filling *filling, char mark)
{
    if (mark == '$') {
        buffer_byte(buffer, '$');
        return;
    }
    if (mark == 's') {
        buffer_format(buffer, "%d", filling->expression->scale);
        return;
    }
    if (mark == 'm') {
        print_power_of_ten(buffer, 18 - filling->expression->scale);
        return;
    }
    size_t index = (size_t)(mark - '1');
    assert(index < filling->expression->argument_count);
    if (filling->named[index])
        buffer_format(buffer, "l.x%c", mark);
    else
        buffer_append(buffer, filling->arguments[index].data, filling->arguments[index].length);
}

static void print_body(struct buffer *buffer, const struct filling *filling, const char *form)
{
    for (; *form != '\0'; form++) {
        if (*form == '$')
            print_mark(buffer, filling, *++form);
        else
            buffer_byte(buffer, *form);
    }
}

/* " FROM (SELECT ... AS x1, ... OFFSET 0) AS l" */
static void print_names(struct buffer *buffer, const struct filling *filling)
{
    const char *before = " FROM (SELECT ";
    for (size_t i = 0; i < filling->expression->argument_count; i++) {
        if (!filling->named[i])
            continue;
        buffer_text(buffer, before);
        buffer_append(buffer, filling->arguments[i].data, filling->arguments[i].length);
        buffer_format(buffer, " AS x%zu", i + 1);
        before = ", ";
    }
    buffer_text(buffer, " OFFSET 0) AS l");
}

void postgres_print_form(struct sql_printer *printer, const struct sql_expression *expression,
                         const char *form)
{
    struct filling filling = {.expression = expression};
    size_t count = expression->argument_count;
    bool any = false;
    assert(count <= POSTGRES_FORM_ARGUMENTS);
    print_arguments(printer, form, &filling);
    for (size_t i = 0; i < count; i++)
        any |= filling.named[i];
    if (!printer->buffer->failed) {
        buffer_text(printer->buffer, any ? "(SELECT " : "");
        print_body(printer->buffer, &filling, form);
        if (any)
            print_names(printer->buffer, &filling);
        buffer_text(printer->buffer, any ? ")" : "");
    }
    for (size_t i = 0; i < count; i++)
        buffer_free(&filling.arguments[i]);
}

const char *postgres_form(const struct sql_function *function)
{
    static const struct postgres_form_entry *const parts[] = {
        postgres_forms_arithmetic, postgres_forms_numeric, postgres_forms_text, postgres_forms_date};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        for (const struct postgres_form_entry *entry = parts[part]; entry->name != NULL; entry++)
            if (strcmp(entry->name, function->name) == 0 &&
                strcmp(entry->arguments, function->arguments) == 0)
                return entry->form;
    return NULL;
}
