#include "cli/mechanism_help.h"

#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "cli/mechanism_options.h"

enum { HELP_BYTES = 1 << 16 };

static const char *kind_name(size_t index, const void *context)
{
    (void)context;
    return index < mechanism_kind_count ? mechanism_kinds[index]->name : NULL;
}

status mechanism_help_find(const char *name, const struct mechanism_kind **out, error *why)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    if (kind != NULL) {
        *out = kind;
        return DITHER_OK;
    }
    const char *nearest = nearest_name(name, kind_name, NULL);
    if (nearest != NULL)
        return fail(why, DITHER_INVALID, "there is no mechanism \"%.40s\"; did you mean \"%s\"?", name,
                    nearest);
    return fail(why, DITHER_INVALID, "there is no mechanism \"%.40s\"; --list names them all", name);
}

void mechanism_help_list(void)
{
    for (size_t i = 0; i < mechanism_kind_count; i++)
        puts(mechanism_kinds[i]->name);
}

/* ---- The command ---- */

static const char outside_the_ledger[] = "This works outside any ledger: nobody keeps the account of what "
                                         "was spent but you. Every answer costs its\n"
                                         "epsilon anew, also a repeated one.";

static void print_kinds(struct buffer *about)
{
    buffer_text(
        about,
        "Applies one mechanism to numbers on the command line or to a file of values. A file is CSV, - is\n"
        "standard input; it holds a number a line, for counts per key a key a line, for marginals a table.\n"
        "A first line of words above numbers is taken for a header.\n\n");
    buffer_text(about, outside_the_ledger);
    buffer_text(about, "\n\nmechanisms (`dither mechanism NAME --help` says what each needs):\n");
    for (size_t i = 0; i < mechanism_kind_count; i++)
        buffer_format(about, "%s  %-23s %s", i > 0 ? "\n" : "", mechanism_kinds[i]->name,
                      mechanism_kinds[i]->summary);
}

/* ---- One kind ---- */

static const char *describe_shape(enum mechanism_shape shape)
{
    switch (shape) {
    case SHAPE_NUMBERS:
        return "Values: true answers, of which one person can move all together by at most --sensitivity.";
    case SHAPE_SCORES:
        return "Values: the score of each choice (or the answer of each question), in order; one person can "
               "move\n"
               "each of them by at most --sensitivity.";
    case SHAPE_COUNTS:
        return "Values: how many people each key has; or a file with a key a line, each line one person, "
               "which is\n"
               "counted. The answer shows the keys that enough people have, sorted; of the others it says "
               "nothing.";
    case SHAPE_RECORDS:
        return "Values: one number per person.";
    case SHAPE_TABLE:
        return "Values: a table with a line per person; each column holds a category, numbered from 0.";
    }
    return "";
}

static void print_names(struct buffer *about, const char *before, unsigned bits)
{
    bool first = true;
    for (unsigned bit = 1; bit <= OPTION_WAYS; bit <<= 1)
        if (bits & bit) {
            buffer_format(about, "%s--%s", first ? before : ", ", mechanism_option_name(bit));
            first = false;
        }
    if (!first)
        buffer_text(about, ".\n");
}

static void print_kind(const struct mechanism_kind *kind, struct buffer *about)
{
    buffer_format(about, "%s: %s\n\n%s\n", kind->name, kind->summary, describe_shape(kind->shape));
    print_names(about, "Needs ", kind->needs);
    print_names(about, "Also understands ", kind->understands & ~kind->needs);
    buffer_format(about,
                  "Hides whether a person is in the data; replacing one person's value by another %s.\n\n",
                  kind->replace == REPLACE_COSTS_SAME ? "costs the same" : "costs twice as much");
    buffer_text(about, outside_the_ledger);
}

static void print_value(struct buffer *out, double value)
{
    char text[NUMBER_TEXT];
    number_print_exact(value, text);
    buffer_format(out, " %s", text);
}

/* A few values that fit the kind's example options. */
static void print_values(const struct mechanism_kind *kind, struct buffer *out)
{
    const dither_options *options = &kind->example;
    if (kind->shape == SHAPE_NUMBERS)
        print_value(out, 42);
    else if (kind->shape == SHAPE_SCORES)
        buffer_text(out, " 12 17 9");
    else if (kind->shape == SHAPE_COUNTS)
        buffer_text(out, " 120 35 1");
    else if (kind->shape == SHAPE_TABLE)
        for (size_t i = 0; i < 2 * options->column_count; i++)
            print_value(out,
                        i < options->column_count ? 0 : options->categories[i - options->column_count] - 1);
    else if (options->range.lower < options->range.upper) {
        print_value(out, options->range.lower);
        print_value(out, options->range.lower / 2 + options->range.upper / 2);
        print_value(out, options->range.upper);
    } else
        buffer_text(out, " 1 2 3");
}

static void print_example(const struct mechanism_kind *kind, struct buffer *out)
{
    if (kind == NULL) {
        buffer_text(out, "  dither mechanism truncated-mean --range 1000:100000 --output 2000:4000 "
                         "--min-size 5 --epsilon 1 "
                         "examples/salaries.csv");
        return;
    }
    buffer_format(out, "  dither mechanism %s", kind->name);
    mechanism_options_print(&kind->example, out);
    print_values(kind, out);
}

status mechanism_help_print(const struct mechanism_kind *kind, struct cli_options options, error *why)
{
    struct buffer about, usage, example;
    buffer_init(&about, HELP_BYTES);
    buffer_init(&usage, HELP_BYTES);
    buffer_init(&example, HELP_BYTES);
    buffer_format(&usage, "mechanism %s [OPTION...] VALUE...|FILE", kind != NULL ? kind->name : "NAME");
    if (kind == NULL)
        buffer_text(&usage, "\nmechanism NAME --help\nmechanism --list");
    if (kind != NULL)
        print_kind(kind, &about);
    else
        print_kinds(&about);
    print_example(kind, &example);
    status result = about.failed || usage.failed || example.failed
                        ? fail(why, DITHER_NO_MEMORY, "out of memory")
                        : DITHER_OK;
    if (result == DITHER_OK)
        cli_print_help(&(struct cli_help){usage.data, about.data, example.data}, options);
    buffer_free(&about);
    buffer_free(&usage);
    buffer_free(&example);
    return result;
}
