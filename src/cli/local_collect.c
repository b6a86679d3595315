/* `dither local collect`: reports from files, standard input and HTTP into the survey's database. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/local_survey.h"
#include "cli/table.h"
#include "local/collect_http.h"

static const struct cli_help help = {
    .usage = "local collect SURVEY FILE...|- [--format table|csv|json]\n"
             "local collect SURVEY --listen ADDRESS:PORT [--tls-cert FILE --tls-key FILE]",
    .about = "Takes reports, a line of hexadecimal digits each, as `dither local client SURVEY` writes them, "
             "and counts them\n"
             "in the survey's database (beside the survey, ending in .reports). A report is taken once, "
             "however often it\n"
             "comes. What is no report of this survey, version and period is refused and counted. What was "
             "taken is on disk\n"
             "before this command says so; killed at any moment, it can be run again on the same files. What "
             "a slow pipe has\n"
             "brought is counted after a second. Several may run at once, and `dither local estimate SURVEY` "
             "at any time.\n\n"
             "--listen takes them over HTTP until it is stopped (SIGTERM, Ctrl-C): POST /v1/reports with\n"
             "{\"reports\": [\"...\"]}. Port 0 is any free one; the line that is printed names it. Beyond "
             "this machine a\n"
             "certificate is needed.",
    .example = "  dither local collect commuting.yaml reports.txt\n"
               "  dither local collect commuting.yaml --listen 127.0.0.1:8480",
};

struct run {
    struct collector *collector;
    struct collect_counts counts, settled; /* as added; as of the last commit */
    bool progress;
    bool waiting; /* something was added since the last commit */
};

enum {
    LINE_BYTES = 8 << 20, /* more than the longest report has, as text */
    PAUSE_MILLISECONDS = 1000,
};

/* Between batches, where the owner looks. */
static void tell(const struct run *run)
{
    if (run->progress)
        fprintf(stderr, "\r%" PRIu64 " reports counted", run->counts.of[COLLECT_COUNTED]);
}

static status commit(struct run *run, error *why)
{
    status result = collect_commit(run->collector, time(NULL), why);
    if (result != DITHER_OK) {
        run->counts = run->settled;
        return result;
    }
    run->settled = run->counts;
    run->waiting = false;
    tell(run);
    return collect_fold(run->collector, COLLECT_FOLD_BYTES, why);
}

/* Bytes of a file or a pipe on their way to becoming lines. */
struct lines {
    int file;
    const char *name;
    char *data;
    size_t length; /* of what came and is no whole line yet */
    bool skipping; /* inside a line that is longer than any report */
};

static status add_line(struct run *run, const char *line, size_t length, error *why)
{
    while (!collect_add_line(run->collector, line, length, &run->counts))
        TRY(commit(run, why));
    run->waiting = true;
    return DITHER_OK;
}

static status add_lines(struct run *run, struct lines *lines, error *why)
{
    size_t begin = 0;
    for (const char *end; (end = memchr(lines->data + begin, '\n', lines->length - begin)) != NULL;) {
        size_t length = (size_t)(end - lines->data) - begin;
        if (!lines->skipping)
            TRY(add_line(run, lines->data + begin, length, why));
        lines->skipping = false;
        begin += length + 1;
    }
    lines->length -= begin;
    memmove(lines->data, lines->data + begin, lines->length);
    if (lines->length < LINE_BYTES)
        return DITHER_OK;
    bool counted = lines->skipping;
    lines->skipping = true;
    lines->length = 0;
    return counted ? DITHER_OK : add_line(run, "", 0, why); /* malformed, once */
}

/* Whoever feeds a pipe slowly does not wait: what came is committed when nothing more has come for a second. */
static status await_more(struct run *run, const struct lines *lines, error *why)
{
    struct pollfd look = {.fd = lines->file, .events = POLLIN};
    return run->waiting && poll(&look, 1, PAUSE_MILLISECONDS) == 0 ? commit(run, why) : DITHER_OK;
}

static status read_lines(struct run *run, struct lines *lines, error *why)
{
    for (;;) {
        TRY(await_more(run, lines, why));
        ssize_t got = read(lines->file, lines->data + lines->length, LINE_BYTES - lines->length);
        if (got < 0 && errno != EINTR)
            return fail(why, DITHER_IO, "cannot read %.200s: %s", lines->name, strerror(errno));
        if (got == 0)
            break;
        lines->length += got > 0 ? (size_t)got : 0;
        TRY(add_lines(run, lines, why));
    }
    return lines->length > 0 && !lines->skipping ? add_line(run, lines->data, lines->length, why) : DITHER_OK;
}

static status read_file(struct run *run, const char *path, error *why)
{
    bool standard = strcmp(path, "-") == 0;
    struct lines lines = {.file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                          .name = standard ? "standard input" : path};
    if (lines.file < 0)
        return fail(why, DITHER_IO, "cannot read %.200s: %s", path, strerror(errno));
    lines.data = memory_allocate(LINE_BYTES);
    status result = lines.data != NULL ? read_lines(run, &lines, why)
                                       : fail(why, DITHER_NO_MEMORY, "no memory to read reports");
    memory_release(lines.data, LINE_BYTES);
    if (!standard)
        close(lines.file);
    return result;
}

static void print_json(const struct collect_counts *counts, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    for (int verdict = 0; verdict < COLLECT_VERDICTS; verdict++)
        json_member_number(&json, collect_verdict_name((enum collect_verdict)verdict),
                           (double)counts->of[verdict]);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status print_counts(const struct collect_counts *counts, enum cli_format format, error *why)
{
    struct buffer text;
    struct table table;
    buffer_init(&text, (size_t)1 << 20);
    table_init(&table);
    table_text_column(&table, "verdict");
    table_number_column(&table, "reports");
    for (int verdict = 0; verdict < COLLECT_VERDICTS; verdict++)
        if (verdict == COLLECT_COUNTED || format == CLI_CSV || counts->of[verdict] > 0) {
            table_text(&table, collect_verdict_name((enum collect_verdict)verdict));
            table_number(&table, (double)counts->of[verdict]);
        }
    status result = DITHER_OK;
    if (format == CLI_JSON)
        print_json(counts, &text);
    else
        result = table_print(&table, format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    table_free(&table);
    buffer_free(&text);
    return result;
}

/* What was committed before a failure stays counted, and is told. */
static status collect(const struct survey *survey, int argc, char **argv, enum cli_format format, error *why)
{
    struct run run = {.progress = isatty(STDERR_FILENO) == 1};
    TRY(collect_open(survey, &run.collector, why));
    status result = DITHER_OK;
    for (int i = 0; i < argc && result == DITHER_OK; i++)
        result = read_file(&run, argv[i], why);
    if (result == DITHER_OK)
        result = commit(&run, why);
    if (result == DITHER_OK)
        result = collect_fold(run.collector, 0, why);
    collect_close(run.collector);
    if (run.progress)
        fputs("\r\033[K", stderr);
    if (result == DITHER_OK)
        return print_counts(&run.counts, format, why);
    error inner = *why;
    return fail(why, result, "%.300s (%" PRIu64 " reports had been counted)", inner.message,
                run.settled.of[COLLECT_COUNTED]);
}

/* ---- Over HTTP ---- */

struct request {
    const char *listen, *certificate, *key;
    enum cli_format format;
};

/* One line for a failure that goes on. */
static void tell_owner(const error *why)
{
    static char last[sizeof why->message];
    if (strcmp(last, why->message) != 0)
        fprintf(stderr, "dither: %s\n", why->message);
    snprintf(last, sizeof last, "%s", why->message);
}

/* "127.0.0.1:8480", "[::1]:0" */
static status read_place(const char *text, char host[64], struct socket_place *out, error *why)
{
    const char *colon = strrchr(text, ':');
    uint64_t port = 0;
    bool bracketed = text[0] == '[' && colon != NULL && colon > text + 1 && colon[-1] == ']';
    size_t length = colon == NULL ? 0 : (size_t)(colon - text) - (bracketed ? 2 : 0);
    if (length == 0 || length >= 64 || number_parse_whole(colon + 1, &port, why) != DITHER_OK || port > 65535)
        return fail(why, DITHER_INVALID, "--listen must be an address and a port, such as 127.0.0.1:8480");
    memcpy(host, text + (bracketed ? 1 : 0), length);
    host[length] = '\0';
    *out = (struct socket_place){.host = host, .port = (uint16_t)port};
    return DITHER_OK;
}

/* The end of a wait by a signal is how this is meant to end: exit 0. */
static status serve(const struct survey *survey, const struct request *request, error *why)
{
    char host[64];
    sigset_t signals;
    struct collect_server *server = NULL;
    struct collect_server_options options = {
        .certificate = request->certificate, .key = request->key, .survey = survey, .tell = tell_owner};
    TRY(read_place(request->listen, host, &options.place, why));
    options.place.encrypted = request->certificate != NULL;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* before any thread is started */
    TRY(collect_open(survey, &options.collector, why));
    status result = collect_server_open(&options, &server, why);
    if (result == DITHER_OK) {
        int got = 0;
        printf("collecting %s on http%s://%s:%u\n", survey->name, request->certificate != NULL ? "s" : "",
               host, collect_server_port(server));
        fflush(stdout);
        (void)sigwait(&signals, &got);
        struct collect_counts counts = collect_server_counts(server);
        collect_server_close(server);
        result = collect_fold(options.collector, 0, why);
        if (result == DITHER_OK)
            result = print_counts(&counts, request->format, why);
    }
    collect_close(options.collector);
    return result;
}

static status run_survey(int argc, char **argv, const struct request *request, error *why)
{
    struct arena arena;
    const struct survey *survey = NULL;
    arena_init(&arena, LOCAL_SURVEY_BYTES);
    status result = survey_read(argv[0], &arena, &survey, why);
    if (result == DITHER_OK)
        result = request->listen != NULL ? serve(survey, request, why)
                                         : collect(survey, argc - 1, argv + 1, request->format, why);
    arena_free(&arena);
    return result;
}

int local_collect(int argc, char **argv)
{
    struct request request = {0};
    const struct cli_option list[] = {
        {"listen", "PLACE", "take reports over HTTP at this address and port", cli_read_text, &request.listen,
         NULL, 0},
        {"tls-cert", "FILE", "certificate chain, PEM", cli_read_text, &request.certificate, NULL, 0},
        {"tls-key", "FILE", "its private key, PEM", cli_read_text, &request.key, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local collect", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (request.listen != NULL ? argc != 1 : argc < 2) {
        (void)fail(&why, DITHER_INVALID,
                   request.listen != NULL ? "a survey, and no files, beside --listen"
                                          : "which survey, and which files of reports?");
        return cli_misused("local collect", &why);
    }
    if ((request.certificate == NULL) != (request.key == NULL)) {
        (void)fail(&why, DITHER_INVALID, "--tls-cert and --tls-key go together");
        return cli_misused("local collect", &why);
    }
    return run_survey(argc, argv, &request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
