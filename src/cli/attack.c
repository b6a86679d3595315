/* `dither attack`: the adversary's side. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attack/lab.h"
#include "attack/rows.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/attack_show.h"
#include "cli/cli.h"
#include "policy/policy.h"

enum {
    OUTPUT_BYTES = 64 << 20,
    PROGRAM_BYTES = 4096,
};

static const struct cli_help help = {
    .usage = "attack\nattack NAME [OPTION...]\nattack --all [OPTION...]",
    .about =
        "Plays an attack on data without protection, or with bad protection, and then on Dither, and says "
        "how\n"
        "often it succeeds: each time on data that are made up from a seed, or on rows of a policy that "
        "says\n"
        "`synthetic: true` (--data). Without a name: the list of attacks. \"at most\" is what the budget "
        "proves\n"
        "that no attack on one person can pass. Nothing of yours is touched: files lie in a directory for\n"
        "temporary files, which is removed.",
    .example = "  dither attack averaging --epsilon 0.5 --plot averaging.svg\n"
               "  dither attack --all --data examples/hospital/hospital.yaml",
};

struct command {
    struct attack_settings settings;
    char *program;
    struct arena arena; /* policies, and rows */
    struct rows rows;
    enum attack_format format;
    const char *epsilon, *policy, *data, *plot;
    bool all;
    char share[DECIMAL_TEXT];
};

/* ---- Ctrl-C: the scratch directories go first ---- */

static void *wait_for_stop(void *signals)
{
    int number = 0;
    if (sigwait(signals, &number) != 0)
        return NULL;
    lab_remove_all();
    _exit(CLI_INTERRUPTED);
}

/* Before any other thread is started: they must not get the signal. */
static void tidy_up_on_stop(void)
{
    static sigset_t signals;
    pthread_t thread;
    struct sigaction now;
    sigemptyset(&signals);
    if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return;
    if (pthread_create(&thread, NULL, wait_for_stop, &signals) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* ---- Running ---- */

static void say(const char *name, size_t number, size_t count)
{
    if (isatty(STDERR_FILENO) && name != NULL)
        fprintf(stderr, "\r\033[K%zu of %zu: %s", number, count, name);
    else if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* Whether it is played on the policy's rows. */
static bool on_rows(const struct command *command, const struct attack *attack)
{
    return command->settings.rows != NULL && attack->run_on_rows != NULL;
}

static status run_all(const struct command *command, const struct attack *const *list, size_t count,
                      struct attack_result *results, error *why)
{
    status result = DITHER_OK;
    for (size_t i = 0; i < count && result == DITHER_OK; i++) {
        error inner;
        say(list[i]->name, i + 1, count);
        attack_run *run = on_rows(command, list[i]) ? list[i]->run_on_rows : list[i]->run;
        result = run(&command->settings, &results[i], &inner);
        if (result != DITHER_OK)
            (void)fail(why, result, "%s: %s", list[i]->name, inner.message);
    }
    say(NULL, 0, 0);
    return result;
}

/* For attacks that have no curve of their own: how high each success is. */
static void draw_levels(struct buffer *text, const char *name, const struct attack_result *result)
{
    static const double ends[2] = {0, 1};
    const double heights[4][2] = {{result->guessing, result->guessing},
                                  {result->baseline, result->baseline},
                                  {result->dither, result->dither},
                                  {result->bound, result->bound}};
    const struct plot_panel panel = {.title = name,
                                     .x_name = "",
                                     .y_name = "success",
                                     .lines = {{"guessing", ends, heights[0], 2},
                                               {"baseline", ends, heights[1], 2},
                                               {"Dither", ends, heights[2], 2},
                                               {"at most", ends, heights[3], 2}},
                                     .line_count = 4};
    plot_svg(text, &panel, 1);
}

static status write_plot(const char *path, const char *name, const struct attack_result *result, error *why)
{
    struct buffer text;
    buffer_init(&text, OUTPUT_BYTES);
    if (result->panel_count > 0)
        plot_svg(&text, result->panels, result->panel_count);
    else
        draw_levels(&text, name, result);
    status done = buffer_check(&text, why);
    FILE *file = done == DITHER_OK ? fopen(path, "w") : NULL;
    if (done == DITHER_OK && file == NULL)
        done = fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    if (file != NULL) {
        bool written = fwrite(text.data, 1, text.length, file) == text.length;
        if (fclose(file) != 0 || !written)
            done = fail(why, DITHER_IO, "%.200s: could not be written", path);
    }
    buffer_free(&text);
    return done;
}

static status show(const struct command *command, const struct attack *const *list, size_t count,
                   const struct attack_result *results, struct attack_shown *shown, error *why)
{
    struct buffer out;
    buffer_init(&out, OUTPUT_BYTES);
    for (size_t i = 0; i < count; i++)
        shown[i] = (struct attack_shown){list[i], &results[i],
                                         on_rows(command, list[i]) ? command->rows.table->name : NULL};
    status result = attack_show(shown, count, !command->all, command->format, &out, why);
    if (result == DITHER_OK && command->plot != NULL)
        result = write_plot(command->plot, list[0]->name, &results[0], why);
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    buffer_free(&out);
    return result;
}

static status attack_with(const struct command *command, const struct attack *const *list, size_t count,
                          error *why)
{
    struct attack_result *results = memory_allocate(count * sizeof *results);
    struct attack_shown *shown = memory_allocate(count * sizeof *shown);
    status result = DITHER_OK;
    if (results == NULL || shown == NULL) {
        result = fail(why, DITHER_NO_MEMORY, "no memory for the attacks' results");
        goto done;
    }
    for (size_t i = 0; i < count; i++)
        attack_result_init(&results[i]);
    result = run_all(command, list, count, results, why);
    if (result == DITHER_OK)
        result = show(command, list, count, results, shown, why);
    for (size_t i = 0; i < count; i++)
        attack_result_free(&results[i]);
done:
    memory_release(results, count * sizeof *results);
    memory_release(shown, count * sizeof *shown);
    return result;
}

/* ---- What was typed ---- */

static status read_format(const char *text, void *place, error *why)
{
    static const char *const names[] = {
        [ATTACK_TABLE] = "table", [ATTACK_JSON] = "json", [ATTACK_MARKDOWN] = "markdown"};
    for (int i = ATTACK_TABLE; i <= ATTACK_MARKDOWN; i++)
        if (strcmp(text, names[i]) == 0) {
            *(enum attack_format *)place = (enum attack_format)i;
            return DITHER_OK;
        }
    return fail(why, DITHER_INVALID, "must be table, json or markdown");
}

static status read_seed(const char *text, void *place, error *why)
{
    return number_parse_whole(text, place, why);
}

/* Above 0, and small enough that e^epsilon is a number. */
static status read_epsilon(const char *text, void *place, error *why)
{
    struct decimal value;
    TRY(decimal_parse(text, &value, why));
    if (decimal_is_zero(value) || decimal_to_double(value) > 100)
        return fail(why, DITHER_INVALID, "must be above 0, and at most 100");
    *(const char **)place = text;
    return DITHER_OK;
}

/* The owner's own budget, in place of the default. */
static status take_budget(struct command *command, error *why)
{
    const struct policy *policy = NULL;
    TRY(policy_read(command->policy, &command->arena, &policy, why));
    const struct policy_budget *budget = &policy->budget;
    if (budget->currency == LEDGER_CONCENTRATED)
        return fail(why, DITHER_INVALID,
                    "%.200s: the attacks need a budget in epsilon; give --epsilon instead", command->policy);
    decimal_print(budget->total.epsilon, command->share);
    command->settings.epsilon = command->share;
    error inner;
    if (read_epsilon(command->share, &command->settings.epsilon, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "%.200s: the budget's epsilon %s", command->policy, inner.message);
    return DITHER_OK;
}

static status choose(const struct command *command, int argc, char **argv, const struct attack **out,
                     error *why)
{
    if (command->all && argc > 0)
        return fail(why, DITHER_INVALID, "--all takes no name");
    if (command->all && command->plot != NULL)
        return fail(why, DITHER_INVALID, "--plot draws one attack, not --all");
    if (command->epsilon != NULL && command->policy != NULL)
        return fail(why, DITHER_INVALID, "--epsilon or --policy, not both");
    if (argc > 1)
        return fail(why, DITHER_INVALID, "one attack at a time, or --all");
    if (command->all)
        return DITHER_OK;
    TRY(attack_find(argv[0], out, why));
    if (command->data != NULL && (*out)->run_on_rows == NULL)
        return fail(why, DITHER_INVALID, "%s needs data of a shape of its own, and takes no --data", argv[0]);
    return DITHER_OK;
}

/* The rows of a policy: a copy of them is attacked, under a budget of its own. */
static status take_rows(struct command *command, error *why)
{
    TRY(rows_read(command->data, &command->arena, &command->rows, why));
    command->settings.rows = &command->rows;
    return DITHER_OK;
}

static int dispatch(struct command *command, int argc, char **argv)
{
    struct cli_option list[] = {
        {"all", NULL, "all attacks, one row each", NULL, &command->all, NULL, 0},
        {"epsilon", "E", "all that Dither lets anybody learn; default 1", read_epsilon, &command->epsilon,
         NULL, 0},
        {"policy", "FILE", "take the budget's epsilon from this policy", cli_read_text, &command->policy,
         NULL, 0},
        {"data", "POLICY",
         "play on the rows of this policy, which says `synthetic: true`, where that is possible",
         cli_read_text, &command->data, NULL, 0},
        {"plot", "FILE", "draw it, as SVG", cli_read_text, &command->plot, NULL, 0},
        {"format", "F", "table, json or markdown", read_format, &command->format, NULL, 0},
        {"seed", "N", "of the made-up data; default 1", read_seed, &command->settings.seed, NULL, 0},
        {"quick", NULL, "fewer trials, rougher figures", NULL, &command->settings.quick, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    const struct attack *attack = NULL;
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("attack", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc == 0 && !command->all) {
        struct buffer out;
        buffer_init(&out, OUTPUT_BYTES);
        attack_show_list(&out);
        status written = cli_write(&out, &why);
        buffer_free(&out);
        return written == DITHER_OK ? CLI_DONE : cli_failed(&why);
    }
    if (choose(command, argc, argv, &attack, &why) != DITHER_OK)
        return cli_misused("attack", &why);
    if (command->epsilon != NULL)
        command->settings.epsilon = command->epsilon;
    if (command->policy != NULL && take_budget(command, &why) != DITHER_OK)
        return cli_failed(&why);
    if (command->data != NULL && take_rows(command, &why) != DITHER_OK)
        return cli_failed(&why);
    tidy_up_on_stop();
    status result =
        attack_with(command, command->all ? attack_list : &attack, command->all ? attack_count : 1, &why);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

static int run(int argc, char **argv)
{
    char program[PROGRAM_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    struct command command = {.settings = {.seed = 1, .epsilon = "1", .program = program}};
    arena_init(&command.arena, ATTACK_ARENA_BYTES);
    int result = dispatch(&command, argc, argv);
    arena_free(&command.arena);
    return result;
}

const struct cli_command cli_attack = {"attack", "the adversary's side: attacks with and without Dither",
                                       run};
