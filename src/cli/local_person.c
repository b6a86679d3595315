/* `dither local person`: a person's account under local privacy, begun, shown, and made stricter. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/json.h"
#include "base/number.h"
#include "cli/local.h"
#include "cli/table.h"
#include "local/person.h"

static const struct cli_help help = {
    .usage = "local person FILE [--cap E] [--format table|csv|json]",
    .about =
        "A person's file holds what all his reports may ever cost together (the cap), what they have cost, "
        "and the memos\n"
        "from which repeated questions are answered. --cap begins a file that is not there; of one that "
        "is, it lowers the\n"
        "cap: nothing raises it, and no survey has a say in it. `dither local client --person FILE` "
        "spends from it.\n"
        "Who deletes the file forgets what was spent; the spending itself stays.",
    .example =
        "  dither local person me.state --cap 10\n"
        "  dither local client --mechanism lgrr --domain 4 --epsilon 1 --permanent 2 --person me.state 3\n"
        "  dither local person me.state",
};

static status print_table(const struct person_account *account, double left, enum cli_format format,
                          struct buffer *text, error *why)
{
    struct table table;
    table_init(&table);
    static const char *const columns[] = {"cap", "spent", "left", "memos"};
    const double cells[] = {account->cap, account->spent, left, (double)account->memos};
    for (int i = 0; i < 4; i++)
        table_number_column(&table, columns[i]);
    for (int i = 0; i < 4; i++)
        (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[i]);
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

static void print_json(const struct person_account *account, double left, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_number(&json, "cap", account->cap);
    json_member_number(&json, "spent", account->spent);
    json_member_number(&json, "left", left);
    json_member_number(&json, "memos", (double)account->memos);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status show(const struct person_account *account, enum cli_format format, error *why)
{
    struct buffer text;
    buffer_init(&text, 1 << 16);
    double left = fmax(account->cap - account->spent, 0);
    status result = DITHER_OK;
    if (format == CLI_JSON)
        print_json(account, left, &text);
    else
        result = print_table(account, left, format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

static status run(const char *path, double cap, enum cli_format format, error *why)
{
    struct person *person = NULL;
    bool begun = false;
    if (cap != 0 && access(path, F_OK) != 0 && errno == ENOENT) {
        TRY(person_create(path, cap, why));
        begun = true;
    }
    TRY(person_open(&person, path, why));
    status result = cap != 0 && !begun ? person_lower_cap(person, cap, why) : DITHER_OK;
    if (result == DITHER_OK) {
        struct person_account account = person_account(person);
        result = show(&account, format, why);
    }
    person_close(person);
    return result;
}

/* Rounded down: never more than was typed. */
static status read_cap(const char *text, void *place, error *why)
{
    double cap = 0;
    TRY(number_parse(text, NUMBER_DOWN, &cap, why));
    if (!(cap > 0))
        return fail(why, DITHER_INVALID, "must be above 0");
    *(double *)place = cap;
    return DITHER_OK;
}

int local_person_command(int argc, char **argv)
{
    double cap = 0;
    enum cli_format format = CLI_TABLE;
    const struct cli_option list[] = {
        {"cap", "E", "what all reports of a life may cost together", read_cap, &cap, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local person", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID, "which file?");
        return cli_misused("local person", &why);
    }
    return run(argv[0], cap, format, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
