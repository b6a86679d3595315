/* Options from a table: reading them, and printing the table as help. */
#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"

static const struct cli_option *find_long(struct cli_options options, const char *name, size_t length)
{
    for (size_t i = 0; i < options.count; i++) {
        const struct cli_option *option = &options.list[i];
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
        if (option->alias != NULL && strlen(option->alias) == length &&
            strncmp(option->alias, name, length) == 0)
            return option;
    }
    return NULL;
}

static const struct cli_option *find_short(struct cli_options options, char letter)
{
    for (size_t i = 0; i < options.count; i++)
        if (options.list[i].letter == letter)
            return &options.list[i];
    return NULL;
}

static const char *option_name(size_t index, const void *context)
{
    const struct cli_options *options = context;
    return index < options->count ? options->list[index].name : NULL;
}

static status unknown_option(struct cli_options options, const char *name, size_t length, error *why)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *nearest = nearest_name(typed, option_name, &options);
    if (nearest != NULL)
        return fail(why, DITHER_INVALID, "there is no option --%s; did you mean --%s?", typed, nearest);
    return fail(why, DITHER_INVALID, "there is no option --%s", typed);
}

static status set_value(const struct cli_option *option, const char *text, error *why)
{
    if (option->value == NULL && text != NULL)
        return fail(why, DITHER_INVALID, "--%s takes no value", option->name);
    if (option->value == NULL) {
        *(bool *)option->place = true;
        return DITHER_OK;
    }
    if (text == NULL)
        return fail(why, DITHER_INVALID, "--%s needs a value (%s)", option->name, option->value);
    error inner;
    status result = option->read(text, option->place, &inner);
    if (result != DITHER_OK)
        return fail(why, result, "--%s %s", option->name, inner.message);
    return DITHER_OK;
}

/* -5 and -.5 are numbers, - is standard input. */
static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0' && strchr("0123456789.", argument[1]) == NULL;
}

/* Takes the option at argv[0] and its value; `used` says how many arguments that were. */
static status take_option(struct cli_options options, char **argv, int *used, error *why)
{
    const char *argument = argv[0];
    const struct cli_option *option = NULL;
    const char *value = NULL;
    *used = 1;
    if (argument[1] == '-') {
        const char *name = argument + 2;
        size_t length = strcspn(name, "=");
        option = find_long(options, name, length);
        if (option == NULL)
            return unknown_option(options, name, length, why);
        value = name[length] == '=' ? name + length + 1 : NULL;
    } else {
        option = argument[2] == '\0' ? find_short(options, argument[1]) : NULL;
        if (option == NULL)
            return fail(why, DITHER_INVALID, "there is no option %.40s", argument);
    }
    if (option->value != NULL && value == NULL && argv[1] != NULL) {
        value = argv[1];
        *used = 2;
    }
    return set_value(option, value, why);
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

status cli_parse(struct cli_options options, int *argc, char **argv, bool *help, error *why)
{
    *help = asks_for_help(*argc, argv);
    int kept = 0;
    for (int i = 0; i < *argc;) {
        int used = 1;
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < *argc; i++)
                argv[kept++] = argv[i];
        } else if (!is_option(argv[i])) {
            argv[kept++] = argv[i++];
        } else {
            status result = *help ? DITHER_OK : take_option(options, argv + i, &used, why);
            if (result != DITHER_OK)
                return result;
            i += used;
        }
    }
    *argc = kept;
    return DITHER_OK;
}

enum { NAME_COLUMN = 26, HELP_WIDTH = 100 };

/* Breaks the text at blanks into lines that begin at `indent`; the cursor stands at `column`. */
static void print_wrapped(const char *text, int indent, int column)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        if (column > indent)
            putchar(' ');
        column += length + (column > indent);
        printf("%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const struct cli_option *option)
{
    char name[80];
    char letter[6] = "";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(name, sizeof name, "  %s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
             option->value != NULL ? option->value : "");
    printf("%-*s", NAME_COLUMN, name);
    if (strlen(name) >= NAME_COLUMN)
        printf("\n%*s", NAME_COLUMN, "");
    print_wrapped(option->help, NAME_COLUMN, NAME_COLUMN);
}

void cli_print_help(const struct cli_help *help, struct cli_options options)
{
    const char *start = "usage: dither";
    for (const char *line = help->usage; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        printf("%s %.*s\n", start, length, line);
        start = "       dither";
        line += length + (line[length] == '\n');
    }
    printf("\n%s\n", help->about);
    if (options.count > 0)
        puts("\noptions:");
    for (size_t i = 0; i < options.count; i++)
        print_option(&options.list[i]);
    printf("\nexample:\n%s\n", help->example);
}

status cli_read_text(const char *text, void *place, error *why)
{
    (void)why;
    *(const char **)place = text;
    return DITHER_OK;
}

status cli_read_format(const char *text, void *place, error *why)
{
    static const char *const names[] = {[CLI_TABLE] = "table", [CLI_CSV] = "csv", [CLI_JSON] = "json"};
    for (int i = CLI_TABLE; i <= CLI_JSON; i++)
        if (strcmp(text, names[i]) == 0) {
            *(enum cli_format *)place = (enum cli_format)i;
            return DITHER_OK;
        }
    return fail(why, DITHER_INVALID, "must be table, csv or json");
}
