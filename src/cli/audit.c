/* `dither audit`: does Dither keep its promise? Exit 0: passed; 1: convicted, or it could not be found out. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "attack/audit.h"
#include "base/number.h"
#include "cli/cli.h"

enum { OUTPUT_BYTES = 64 << 20 };

static const struct cli_help help = {
    .usage = "audit POLICY [OPTION...]\n"
             "audit --server URL [OPTION...]",
    .about = "Looks from outside whether answers keep the promise: makes data of its own for the policy's "
             "tables,\n"
             "asks thousands of questions about them, and compares how far one person moves exact answers, "
             "what law\n"
             "the noise has, what can be guessed about people, which keys are shown, and what the ledger "
             "says, with\n"
             "what is claimed. The policy's data are not opened. Prints, for every kind of question, the "
             "epsilon that\n"
             "is claimed and the largest that was proved to be spent. Minutes; --short takes seconds.\n"
             "Exit status 0: passed; 1: convicted.",
    .example = "  dither audit examples/hospital/hospital.yaml --short --html audit.html",
};

struct command {
    struct audit_options options;
    const char *html;
    enum cli_format format;
    bool brief;
};

/* ---- Options ---- */

static status read_seed(const char *text, void *place, error *why)
{
    return number_parse_whole(text, place, why);
}

static status read_error(const char *text, void *place, error *why)
{
    double value = 0;
    TRY(number_parse(text, NUMBER_NEAREST, &value, why));
    if (!(value > 0 && value < 1))
        return fail(why, DITHER_INVALID, "must lie between 0 and 1");
    *(double *)place = value;
    return DITHER_OK;
}

/* Names with commas between. */
static status read_checks(const char *text, void *place, error *why)
{
    unsigned *only = place;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        unsigned before = *only;
        const char *name = NULL;
        for (int i = 0; (name = audit_check_name((enum audit_check)i)) != NULL; i++)
            if (strlen(name) == length && strncmp(name, text, length) == 0)
                *only |= 1u << i;
        if (*only == before)
            return fail(
                why, DITHER_INVALID,
                "is a list of sensitivity, shape, guesses, events, grid, keys, budget, blocks, failing");
        text += length + (text[length] == ',');
    }
    return DITHER_OK;
}

/* ---- While it runs ---- */

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static void tell(void *context, const char *line)
{
    (void)context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", line);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal}, now;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* ---- Reporting ---- */

static status save(const char *path, const struct buffer *page, error *why)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    size_t written = 0;
    while (written < page->length) {
        ssize_t count = write(file, page->data + written, page->length - written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            break;
        written += (size_t)count;
    }
    int code = errno;
    if (close(file) == 0 && written == page->length)
        return DITHER_OK;
    (void)unlink(path);
    return fail(why, DITHER_IO, "%.200s cannot be written: %s", path, strerror(code));
}

static status print(const struct command *command, const struct audit_report *report, error *why)
{
    struct buffer out;
    buffer_init(&out, OUTPUT_BYTES);
    if (command->format == CLI_JSON)
        audit_report_json(report, &out);
    else
        audit_report_text(report, &out);
    status result = cli_write(&out, why);
    buffer_free(&out);
    if (result != DITHER_OK || command->html == NULL)
        return result;
    buffer_init(&out, OUTPUT_BYTES);
    audit_report_html(report, &out);
    result = buffer_check(&out, why);
    if (result == DITHER_OK)
        result = save(command->html, &out, why);
    buffer_free(&out);
    return result;
}

static int audit(const struct command *command)
{
    struct audit_report *report = NULL;
    error why;
    catch_signals();
    status result = audit_run(&command->options, &report, &why);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (result == DITHER_OK)
        result = print(command, report, &why);
    if (result == DITHER_OK && audit_report_convicts(report)) {
        const char *first = audit_report_first(report);
        result = fail(&why, DITHER_REFUSED, "convicted: %.400s", first != NULL ? first : "see the report");
    }
    audit_report_free(report);
    if (result == DITHER_OK)
        return CLI_DONE;
    int code = cli_failed(&why);
    return stop != 0 ? CLI_INTERRUPTED : code;
}

static int misused(const char *message)
{
    error why;
    (void)fail(&why, DITHER_INVALID, "%s", message);
    return cli_misused("audit", &why);
}

static int run(int argc, char **argv)
{
    struct command command = {.options = {.seed = 1, .tell = tell, .stop = &stop}, .format = CLI_TABLE};
    struct audit_options *given = &command.options;
    const struct cli_option list[] = {
        {"short", NULL, "fewer questions and answers: seconds instead of minutes", NULL, &command.brief, NULL,
         0},
        {"seed", "N", "of the data and of the auditor's choices (1); Dither's noise is not to be had",
         read_seed, &given->seed, NULL, 0},
        {"error", "P", "the probability with which an honest build is convicted (0.001)", read_error,
         &given->error, NULL, 0},
        {"only", "CHECKS",
         "these checks alone, with commas between: sensitivity, shape, guesses, events, grid, keys, budget, "
         "blocks, failing",
         read_checks, &given->only, NULL, 0},
        {"first", NULL, "end with the first conviction", NULL, &given->first, NULL, 0},
        {"html", "FILE", "also write the report as a page with plots", cli_read_text, &command.html, NULL, 0},
        {"server", "URL", "audit this server, whose policy says `synthetic: true`: postgres://...",
         cli_read_text, &given->server, NULL, 0},
        {"format", "FORMAT", "table or json", cli_read_format, &command.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("audit", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (command.format == CLI_CSV)
        return misused("--format is table or json");
    if ((given->server == NULL) != (argc == 1) || argc > 1)
        return misused(given->server == NULL ? "which policy? Or --server URL"
                                             : "a policy, or --server URL, not both");
    given->policy = argc == 1 ? argv[0] : NULL;
    given->size = command.brief ? AUDIT_SHORT : AUDIT_FULL;
    return audit(&command);
}

const struct cli_command cli_audit = {"audit", "look from outside whether answers keep their promise", run};
