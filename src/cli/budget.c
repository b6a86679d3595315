/* `dither budget`: what was spent, by whom, on which block. */
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "ledger/history.h"
#include "policy/ledger_place.h"

enum {
    BAR = 20, /* characters */
    QUESTIONS = 10,
    SHOWN_BYTES = 60, /* of a question's text */
    OUTPUT_BYTES = 1 << 30,
    POLICY_BYTES = 64 << 20, /* of memory to read one */
};

struct budget_request {
    const char *location, *dataset, *lift;
    enum cli_format format;
    bool verify, csv;
    uint64_t questions;
};

/* The part of the limit that is used, in the component that is used most; at least one mark when anything is.
 */
static int bar_length(struct ledger_cost spent, struct ledger_cost limit)
{
    const struct decimal pairs[][2] = {
        {spent.epsilon, limit.epsilon}, {spent.delta, limit.delta}, {spent.rho, limit.rho}};
    double used = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        double part = decimal_to_double(pairs[i][0]), whole = decimal_to_double(pairs[i][1]);
        double share = part == 0 ? 0 : part >= whole ? 1 : part / whole;
        used = share > used ? share : used;
    }
    int marks = (int)(used * BAR);
    return marks == 0 && used > 0 ? 1 : marks;
}

static void add_bar(struct table *table, struct ledger_cost spent, struct ledger_cost limit)
{
    char bar[BAR + 1];
    int marks = bar_length(spent, limit);
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)marks);
    bar[BAR] = '\0';
    table_text(table, bar);
}

static void add_decimal(struct table *table, struct decimal value)
{
    char text[DECIMAL_TEXT] = "-";
    if (!decimal_is_unlimited(value))
        decimal_print(value, text);
    table_text(table, text);
}

static void add_costs(struct table *table, enum ledger_currency currency, struct history_sum sum)
{
    struct ledger_cost left = ledger_cost_left(sum.limit, sum.window);
    bool rho = currency == LEDGER_CONCENTRATED;
    add_decimal(table, rho ? sum.window.rho : sum.window.epsilon);
    add_decimal(table, rho ? left.rho : left.epsilon);
    add_decimal(table, rho ? sum.limit.rho : sum.limit.epsilon);
    add_decimal(table, rho ? sum.lifetime.rho : sum.lifetime.epsilon);
    if (currency != LEDGER_PURE) {
        add_decimal(table, sum.window.delta);
        add_decimal(table, left.delta);
    }
}

static void add_line(struct table *table, const struct history *history, const char *what, const char *name,
                     struct history_sum sum, const char *note)
{
    table_text(table, what);
    table_text(table, name);
    add_bar(table, sum.window, sum.limit);
    add_costs(table, history_state(history)->config.currency, sum);
    table_text(table, note);
}

static void begin_table(struct table *table, enum ledger_currency currency)
{
    table_init(table);
    table_text_column(table, "");
    table_text_column(table, "");
    table_text_column(table, "used");
    table_number_column(table, currency == LEDGER_CONCENTRATED ? "rho spent" : "epsilon spent");
    table_number_column(table, "left");
    table_number_column(table, "limit");
    table_number_column(table, "lifetime");
    if (currency != LEDGER_PURE) {
        table_number_column(table, "delta spent");
        table_number_column(table, "delta left");
    }
    table_text_column(table, "");
}

static void add_holders(struct table *table, const struct history *history, enum holder_kind kind,
                        const char *what)
{
    const struct state *state = history_state(history);
    for (size_t i = 0; i < state->holder_count; i++) {
        const struct holder *holder = &state->holders[i];
        if (holder->kind == kind)
            add_line(table, history, what, holder->name, history_sum(history, i),
                     holder->stopped != NULL     ? "stopped"
                     : holder->place == SIZE_MAX ? "not in the policy"
                                                 : "");
    }
}

static status print_spending(const struct history *history, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    struct table table;
    begin_table(&table, state->config.currency);
    add_line(&table, history, "dataset", state->config.dataset, history_sum(history, HOLDER_DATASET_PLACE),
             "");
    for (size_t block = 0; state->config.block_count > 0 && block < state->block_count; block++)
        add_line(&table, history, "block", history_block_name(history, block), history_block(history, block),
                 "");
    add_holders(&table, history, HOLDER_GROUP, "group");
    add_holders(&table, history, HOLDER_ANALYST, "analyst");
    status result = table_print(&table, CLI_TABLE, out, why);
    table_free(&table);
    return result;
}

/* Blanks for what a terminal would obey: an analyst wrote this text, and the owner reads it. U+0080 to U+009F
 * are control characters too; in UTF-8 they begin with the byte C2. */
static void blank_controls(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i], next = i + 1 < length ? (unsigned char)text[i + 1] : 0;
        bool high = byte == 0xc2 && next >= 0x80 && next <= 0x9f;
        if (high)
            text[i + 1] = ' ';
        if (high || byte < 0x20 || byte == 0x7f)
            text[i] = ' ';
    }
}

/* One line of text: what is long is cut at a character. */
static void shorten(struct buffer *text)
{
    size_t length = text->length;
    if (length > SHOWN_BYTES) {
        length = SHOWN_BYTES;
        while (length > 0 && ((unsigned char)text->data[length] & 0xc0) == 0x80)
            length--;
        text->data[length] = '\0';
    }
    blank_controls(text->data, length);
}

static status add_question(struct table *table, struct history *history,
                           const struct reservation_record *record, error *why)
{
    const struct state *state = history_state(history);
    const struct holder *holder = &state->holders[record->holder];
    struct buffer text;
    char number[24], time[HISTORY_TIME_TEXT];
    buffer_init(&text, LEDGER_TEXT_BYTES);
    status result = history_question(history, record, &text, why);
    if (result == DITHER_OK) {
        shorten(&text);
        snprintf(number, sizeof number, "%" PRIu64, record->number);
        history_time(record->wall, time);
        table_text(table, number);
        table_text(table, time);
        table_text(table, holder->name != NULL ? holder->name : "(owner)");
        add_decimal(table,
                    state->config.currency == LEDGER_CONCENTRATED ? record->cost.rho : record->cost.epsilon);
        table_text(table, record->settled ? "yes" : "no");
        table_text(table, text.data);
    }
    buffer_free(&text);
    return result;
}

static status print_questions(struct history *history, uint64_t questions, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    size_t first = state->reservation_count > questions ? state->reservation_count - (size_t)questions : 0;
    if (first == state->reservation_count)
        return DITHER_OK;
    struct table table;
    table_init(&table);
    table_number_column(&table, "entry");
    table_text_column(&table, "time");
    table_text_column(&table, "analyst");
    table_number_column(&table, state->config.currency == LEDGER_CONCENTRATED ? "rho" : "epsilon");
    table_text_column(&table, "answered");
    table_text_column(&table, "question");
    status result = DITHER_OK;
    for (size_t i = first; i < state->reservation_count && result == DITHER_OK; i++)
        result = add_question(&table, history, &state->reservations[i], why);
    buffer_byte(out, '\n');
    if (result == DITHER_OK)
        result = table_print(&table, CLI_TABLE, out, why);
    table_free(&table);
    return result;
}

static status print_for_people(struct history *history, uint64_t questions, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    buffer_format(out, "%s, data version %" PRIu64 ", %" PRIu64 " entries", state->config.dataset,
                  state->config.data_version, state->number);
    if (state->config.renewal != LEDGER_NEVER)
        buffer_format(out, ", window %" PRIu64, state->window + 1);
    buffer_text(out, "\n\n");
    TRY(print_spending(history, out, why));
    return print_questions(history, questions, out, why);
}

static status show(const struct budget_request *request, error *why)
{
    struct history *history = NULL;
    struct buffer out;
    TRY(history_open(request->location, request->dataset, NULL, &history, why));
    buffer_init(&out, OUTPUT_BYTES);
    status result;
    if (request->csv || request->format == CLI_CSV)
        result = history_csv(history, &out, why);
    else if (request->format == CLI_JSON)
        result = history_json(history, (size_t)request->questions, &out, why);
    else
        result = print_for_people(history, request->questions, &out, why);
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    buffer_free(&out);
    history_close(history);
    return result;
}

static status verify(const struct budget_request *request, error *why)
{
    struct history_verdict verdict;
    TRY(history_verify(request->location, request->dataset, NULL, &verdict, why));
    if (!verdict.sound)
        return fail(why, DITHER_REFUSED, "the ledger is broken at entry %" PRIu64 ": %.400s", verdict.broken,
                    verdict.reason);
    if (request->format == CLI_JSON)
        printf("{\"sound\":true,\"entries\":%" PRIu64 ",\"hash\":\"%s\",\"anchored\":%s}\n", verdict.entries,
               verdict.hash, verdict.anchored ? "true" : "false");
    else
        printf("sound: %" PRIu64 " entries, last hash %s, %s\n", verdict.entries, verdict.hash,
               verdict.anchored ? "as far as its anchor and beyond" : "without an anchor under this account");
    return DITHER_OK;
}

/* The owner's act, under the policy that is in force. */
static status lift(const struct budget_request *request, error *why)
{
    struct history *history = NULL;
    struct ledger *ledger = NULL;
    TRY(history_open(request->location, request->dataset, NULL, &history, why));
    status result = ledger_open(request->location, &history_state(history)->config, NULL, &ledger, why);
    if (result == DITHER_OK)
        result = ledger_lift(ledger, request->lift[0] != '\0' ? request->lift : NULL, why);
    ledger_close(ledger);
    history_close(history);
    if (result == DITHER_OK)
        printf("%s may ask again\n", request->lift[0] != '\0' ? request->lift : "the owner");
    return result;
}

/* ---- Which ledger ---- */

/* A file that is there, is no SQLite database, and is not called a ledger. A ledger that is gone stays a
 * ledger: its anchor may have something to say about it. */
static bool is_policy(const char *path)
{
    static const char mark[] = "SQLite format 3"; /* and a NUL: so every such database begins */
    static const char ending[] = ".ledger";
    size_t length = strlen(path);
    if (length >= strlen(ending) && strcmp(path + length - strlen(ending), ending) == 0)
        return false;
    char start[sizeof mark] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bool whole = fread(start, sizeof start, 1, file) == 1;
    fclose(file);
    return !whole || memcmp(start, mark, sizeof mark) != 0;
}

static status find_ledger(struct budget_request *request, const char *named, struct arena *arena, error *why)
{
    request->location = named;
    if (!is_policy(named))
        return DITHER_OK;
    struct ledger_place place;
    TRY(ledger_place_read(named, arena, &place, why));
    request->location = place.location;
    if (request->dataset == NULL)
        request->dataset = place.dataset;
    return DITHER_OK;
}

static status read_count(const char *text, void *place, error *why)
{
    return number_parse_whole(text, place, why);
}

static int run(int argc, char **argv)
{
    struct budget_request request = {.questions = QUESTIONS};
    const struct cli_option list[] = {
        {.name = "verify",
         .help = "check every link of the chain, and name the first that is broken",
         .place = &request.verify},
        {.name = "format",
         .value = "FORMAT",
         .help = "table, csv or json",
         .read = cli_read_format,
         .place = &request.format},
        {.name = "csv", .help = "every entry, for auditors; the same as --format csv", .place = &request.csv},
        {.name = "questions",
         .value = "N",
         .help = "how many of the last questions; default 10",
         .read = read_count,
         .place = &request.questions},
        {.name = "dataset",
         .value = "NAME",
         .help = "which ledger, where a PostgreSQL database holds several",
         .read = cli_read_text,
         .place = &request.dataset},
        {.name = "lift",
         .value = "ANALYST",
         .help = "let an analyst ask again who was stopped (\"\": the owner)",
         .read = cli_read_text,
         .place = &request.lift},
    };
    static const struct cli_help help = {
        .usage = "budget POLICY|LEDGER [--verify] [--format FORMAT] [--csv]\n"
                 "budget POLICY|LEDGER --lift ANALYST",
        .about =
            "Shows what was spent and what is left: for the dataset, each block, each group and each "
            "analyst, with the\n"
            "last questions. POLICY names its ledger, or it lies beside it; LEDGER is a ledger's file, or\n"
            "\"postgres:\" and a connection string. The chain and its\n"
            "anchor are checked before anything is shown; --verify also checks every stored question "
            "and answer.\n",
        .example = "  dither budget hospital.yaml --verify",
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("budget", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID, "budget needs one policy or ledger");
        return cli_misused("budget", &why);
    }
    struct arena arena;
    arena_init(&arena, POLICY_BYTES);
    status result = find_ledger(&request, argv[0], &arena, &why);
    if (result == DITHER_OK)
        result = request.lift != NULL ? lift(&request, &why)
                 : request.verify     ? verify(&request, &why)
                                      : show(&request, &why);
    arena_free(&arena);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

const struct cli_command cli_budget = {"budget", "what was spent, by whom, on which block", run};
