/* The collector as a whole: reports checked, recognised as new, written, synced, folded; from bytes in memory, and over HTTP from clients that
 * share the machine with it, each with one request under way on a connection that stays. */
#include "bench/bench.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"
#include "bench/must.h"
#include "local/collect_http.h"
#include "local/report_text.h"
#include "local/survey_report.h"

enum { VALUES = 1024, REPORT = REPORT_HEAD + VALUES / 8 };

/* A survey of one question in a folder of its own. */
struct place {
    char folder[40];
    struct arena arena;
    const struct survey *survey;
    struct collector *collector;
};

static void open_place(struct place *place)
{
    static const char text[] = "survey: bench\nquestions:\n  q: {domain: 1024, mechanism: oue, epsilon: 1}\n";
    char path[100];
    error why;
    *place = (struct place){.folder = "/tmp/dither-bench-XXXXXX"};
    arena_init(&place->arena, (size_t)16 << 20);
    if (mkdtemp(place->folder) == NULL)
        exit(1);
    snprintf(path, sizeof path, "%s/bench.yaml", place->folder);
    must(survey_parse(text, sizeof text - 1, path, &place->arena, &place->survey, &why), &why);
    must(collect_open(place->survey, &place->collector, &why), &why);
}

static void close_place(struct place *place)
{
    char command[100];
    collect_close(place->collector);
    arena_free(&place->arena);
    snprintf(command, sizeof command, "rm -rf %s", place->folder);
    if (system(command) != 0)
        exit(1);
}

/* Report number `number`: an id of its own, and some bits. */
static void make_report(const struct place *place, uint64_t number, unsigned char report[REPORT])
{
    const struct report_head head = {place->survey->questions[0].key, 0,
                                     number * UINT64_C(0x9e3779b97f4a7c15)};
    report_head_write(&head, report);
    memset(report + REPORT_HEAD, (int)(number & 0xff), VALUES / 8);
}

/* The most memory that this process has held since the last call, as the kernel tells it: what a collector needs, however many come. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
}

static void report_peak(const char *name)
{
    char line[200];
    FILE *file = fopen("/proc/self/status", "r");
    double kilobytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    bench_report_part(name, "memory", kilobytes * 1024, "bytes");
}

static void collect(const char *name, const void *argument)
{
    (void)argument;
    size_t people = bench_is_quick() ? 1000 : 1000000;
    struct collect_counts counts = {0};
    struct place place;
    unsigned char report[REPORT];
    error why;
    forget_peak();
    open_place(&place);
    double begun = bench_clock_seconds();
    for (uint64_t i = 0; i < people; i++) {
        make_report(&place, i, report);
        while (!collect_add(place.collector, report, sizeof report, &counts)) {
            must(collect_commit(place.collector, 0, &why), &why);
            must(collect_fold(place.collector, COLLECT_FOLD_BYTES, &why), &why);
        }
    }
    must(collect_commit(place.collector, 0, &why), &why);
    must(collect_fold(place.collector, 0, &why), &why);
    bench_report(name, (double)counts.of[COLLECT_COUNTED] / (bench_clock_seconds() - begun), "reports/s");
    report_peak(name);
    close_place(&place);
}

/* ---- Over HTTP ---- */

enum { CLIENTS = 64 };

/* One client of the server: sends requests number first, first + CLIENTS ... below `requests`, of `each` reports. */
struct client {
    const struct place *place;
    uint16_t port;
    size_t first, requests, each;
    pthread_t thread;
};

static void write_request(const struct client *client, size_t number, struct buffer *body, struct buffer *out)
{
    unsigned char report[REPORT];
    buffer_clear(body);
    buffer_clear(out);
    buffer_text(body, "{\"reports\": [");
    for (size_t i = 0; i < client->each; i++) {
        make_report(client->place, number * client->each + i, report);
        buffer_text(body, i == 0 ? "\"" : ",\"");
        report_write(body, report, sizeof report);
        body->length--; /* the line's end */
        buffer_text(body, "\"");
    }
    buffer_text(body, "]}");
    buffer_format(out,
                  "POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  "Content-Length: %zu\r\n\r\n",
                  body->length);
    buffer_append(out, body->data, body->length);
}

/* Ends the bench when the answer is not that all were counted. */
static void read_answer(int connection, size_t each)
{
    char answer[2048], wanted[40];
    size_t length = 0;
    const char *end = NULL;
    snprintf(wanted, sizeof wanted, "\"counted\": %zu,", each);
    while (end == NULL || strstr(end, "}}") == NULL) {
        ssize_t got =
            length + 1 < sizeof answer ? recv(connection, answer + length, sizeof answer - 1 - length, 0) : 0;
        if (got <= 0)
            exit(1);
        length += (size_t)got;
        answer[length] = '\0';
        end = strstr(answer, "\r\n\r\n");
    }
    if (strstr(end, wanted) == NULL) {
        fprintf(stderr, "dither_bench: not all reports were counted: %s\n", end);
        exit(1);
    }
}

static void *run_client(void *argument)
{
    const struct client *client = argument;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(client->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct buffer body, request;
    buffer_init(&body, COLLECT_BODY_BYTES);
    buffer_init(&request, COLLECT_BODY_BYTES + 1000);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
        exit(1);
    for (size_t i = client->first; i < client->requests; i += CLIENTS) {
        write_request(client, i, &body, &request);
        for (size_t sent = 0; sent < request.length;) {
            ssize_t gone = send(connection, request.data + sent, request.length - sent, MSG_NOSIGNAL);
            if (gone <= 0)
                exit(1);
            sent += (size_t)gone;
        }
        read_answer(connection, client->each);
    }
    close(connection);
    buffer_free(&body);
    buffer_free(&request);
    return NULL;
}

static void complain(const error *why)
{
    fprintf(stderr, "dither_bench: %s\n", why->message);
    exit(1);
}

/* local.collect.http.each1: an app sends its report; .each1000: a relay has gathered a thousand. */
static void collect_http(const char *name, const void *argument)
{
    static struct client clients[CLIENTS];
    const size_t each = *(const size_t *)argument;
    size_t requests = bench_is_quick() ? 2 * CLIENTS : each == 1 ? 100000 : 1000;
    struct place place;
    struct collect_server *server = NULL;
    error why;
    forget_peak();
    open_place(&place);
    const struct collect_server_options options = {.place = {.host = "127.0.0.1"},
                                                   .survey = place.survey,
                                                   .collector = place.collector,
                                                   .tell = complain};
    must(collect_server_open(&options, &server, &why), &why);
    double begun = bench_clock_seconds();
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] =
            (struct client){&place, collect_server_port(server), i, requests, bench_is_quick() ? 1 : each, 0};
        if (pthread_create(&clients[i].thread, NULL, run_client, &clients[i]) != 0)
            exit(1);
    }
    for (size_t i = 0; i < CLIENTS; i++)
        pthread_join(clients[i].thread, NULL);
    double seconds = bench_clock_seconds() - begun;
    bench_report(name, (double)collect_server_counts(server).of[COLLECT_COUNTED] / seconds, "reports/s");
    report_peak(name);
    collect_server_close(server);
    close_place(&place);
}

static const size_t one = 1, thousand = 1000;

static const struct bench benches[] = {
    {"local.collect.oue.d1024", collect, NULL},
    {"local.collect.http.each1", collect_http, &one},
    {"local.collect.http.each1000", collect_http, &thousand},
};
const struct bench_group bench_local_collect = BENCH_GROUP(benches);
