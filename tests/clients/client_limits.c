/* Clients that mean ill, against `dither serve` with tests/clients/clients.yaml: half-open connections, one byte at a time, a gigabyte
 * announced, answers that nobody reads, ten thousand parameters, deep and huge SQL, rubbish. After each of them an honest client is
 * answered, within seconds and rightly; in the end the server's memory and descriptors are what they were, within stated bounds.
 *
 * The same over HTTP is in client_limits_http.c.
 *
 *     client_limits PID       of the server, which is reached by the environment as libpq does
 *     client_limits PID tls   only what concerns the handshake
 */
#include "client_limits.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MANY = 150,
    READERS = 10,
    PARAMETERS = 10000,
    WORKERS = 2 * 4 /* two sockets to each, started when needed */
};

static const char *server;

void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- The server from outside ---- */

static long memory_kilobytes(void)
{
    char path[64], line[256];
    long found = -1;
    snprintf(path, sizeof path, "/proc/%s/status", server);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "VmRSS: %ld", &found);
    if (file != NULL)
        fclose(file);
    if (found < 0)
        stop("the server is gone");
    return found;
}

/* -1: not ours to see. */
static int descriptors(void)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%s/fd", server);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -1;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* ---- Clients ---- */

static void ignore_notice(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

static PGconn *sign_in(void)
{
    PGconn *connection = PQconnectdb("connect_timeout=20");
    if (PQstatus(connection) != CONNECTION_OK)
        stop("an honest client cannot connect: %s", PQerrorMessage(connection));
    PQsetNoticeReceiver(connection, ignore_notice, NULL);
    return connection;
}

void others_are_served(const char *after)
{
    int64_t begun = milliseconds();
    PGconn *connection = sign_in();
    PGresult *result = PQexec(connection, "SELECT count(*) FROM people");
    if (PQresultStatus(result) != PGRES_TUPLES_OK || strcmp(PQgetvalue(result, 0, 0), "400") != 0)
        stop("after %s an honest client gets %s", after, PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
    if (milliseconds() - begun > 15000)
        stop("after %s an honest client waits for %lld ms", after, (long long)(milliseconds() - begun));
    printf("%s: %ld KB\n", after, memory_kilobytes());
    fflush(stdout);
}

int plain_socket(const char *variable)
{
    const char *port = getenv(variable);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(port != NULL ? port : "0")),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) != 0)
        stop("no connection: %s", strerror(errno));
    return file;
}

void send_all(int file, const void *bytes, size_t count)
{
    for (size_t sent = 0; sent < count;) {
        ssize_t now = send(file, (const char *)bytes + sent, count - sent, MSG_NOSIGNAL);
        if (now <= 0)
            return; /* it does not listen any more: its right */
        sent += (size_t)now;
    }
}

int is_ended(int file, int seconds)
{
    char bytes[4096];
    struct pollfd wait = {.fd = file, .events = POLLIN};
    while (poll(&wait, 1, seconds * 1000) > 0) {
        ssize_t count = recv(file, bytes, sizeof bytes, 0);
        if (count <= 0)
            return 1;
    }
    return 0;
}

static size_t message(char *out, char kind, uint32_t length)
{
    length = htonl(length);
    out[0] = kind;
    memcpy(out + 1, &length, 4);
    return 5;
}

/* ---- Connections that do little ---- */

static void half_open(void)
{
    static const char start[] = "\0\0\0\x22\0\3\0\0user\0alice\0database\0cl";
    int files[MANY];
    for (int i = 0; i < MANY; i++) {
        files[i] = plain_socket("PGPORT");
        if (i % 3 == 1)
            send_all(files[i], start, (size_t)i % sizeof start);
        if (i % 3 == 2) /* leaves at once, not even properly */
            setsockopt(files[i], SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    }
    others_are_served("half-open connections");
    for (int i = 0; i < MANY; i++)
        close(files[i]);
}

static void byte_by_byte(void)
{
    static const char start[] = "\0\0\0\x22\0\3\0\0user\0alice\0database\0clients\0\0";
    int files[20];
    for (int i = 0; i < 20; i++)
        files[i] = plain_socket("PGPORT");
    for (size_t at = 0; at < 4; at++) {
        for (int i = 0; i < 20; i++)
            send_all(files[i], start + at, 1);
        others_are_served("a byte a second");
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    }
    for (int i = 0; i < 20; i++)
        close(files[i]);
}

/* ---- Sizes ---- */

static void a_gigabyte_announced(void)
{
    char head[8];
    int file = plain_socket("PGPORT");
    send_all(file, "\x40\0\0\0\0\3\0\0", 8);
    if (!is_ended(file, 10))
        stop("a start of a gigabyte is waited for");
    close(file);
    for (const char *kind = "QPBdp"; *kind != '\0'; kind++) {
        PGconn *connection = sign_in();
        send_all(PQsocket(connection), head, message(head, *kind, 1 << 30));
        if (!is_ended(PQsocket(connection), 10))
            stop("a message %c of a gigabyte is waited for", *kind);
        PQfinish(connection);
    }
    /* What is just allowed, and never comes. */
    PGconn *patient[READERS];
    char *piece = calloc(1, 512 << 10);
    for (int i = 0; i < READERS; i++) {
        patient[i] = sign_in();
        send_all(PQsocket(patient[i]), head, message(head, 'Q', 1 << 20));
        send_all(PQsocket(patient[i]), piece, 512 << 10);
    }
    others_are_served("large messages");
    for (int i = 0; i < READERS; i++)
        PQfinish(patient[i]);
    free(piece);
}

/* An answer of 5000 rows of a kilobyte each, asked for and not read. */
static void answers_that_nobody_reads(void)
{
    static const char sql[] = "SELECT n, repeat('x', 1000) FROM numbers ORDER BY n";
    PGconn *connections[READERS];
    char head[8];
    for (int i = 0; i < READERS; i++) {
        const int small = 4096;
        connections[i] = sign_in();
        setsockopt(PQsocket(connections[i]), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        send_all(PQsocket(connections[i]), head, message(head, 'Q', 4 + sizeof sql));
        send_all(PQsocket(connections[i]), sql, sizeof sql);
    }
    for (int i = 0; i < 3; i++)
        others_are_served("answers that nobody reads");
    for (int i = 0; i < READERS; i++)
        PQfinish(connections[i]);
}

/* ---- SQL ---- */

/* Refused with a state, and the connection goes on. */
static void is_refused(PGconn *connection, PGresult *result, const char *what)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (PQresultStatus(result) != PGRES_FATAL_ERROR || state == NULL)
        stop("%s: is not refused: %s", what, PQerrorMessage(connection));
    PQclear(result);
    result = PQexec(connection, "SELECT 1 + 1");
    if (PQresultStatus(result) != PGRES_TUPLES_OK || strcmp(PQgetvalue(result, 0, 0), "2") != 0)
        stop("%s: the session does not go on: %s", what, PQerrorMessage(connection));
    PQclear(result);
}

static char *repeated(const char *before, const char *each, size_t times, const char *after)
{
    size_t length = strlen(each);
    char *text = malloc(strlen(before) + times * length + strlen(after) + 1), *at = text;
    if (text == NULL)
        stop("out of memory");
    at = stpcpy(at, before);
    for (size_t i = 0; i < times; i++, at += length)
        memcpy(at, each, length);
    strcpy(at, after);
    return text;
}

static void deep_and_huge_sql(void)
{
    static const struct {
        const char *before, *each;
        size_t times;
        const char *after, *what;
    } questions[] = {
        {"SELECT ", "(", 30000, "1", "open parentheses"},
        {"SELECT count(*) FROM people WHERE ", "NOT ", 15000, "true", "NOT NOT NOT"},
        {"SELECT 1", "+1", 30000, "", "a long sum"},
        {"SELECT ", "(SELECT ", 7000, "1", "open sub-selects"},
        {"SELECT ", "CASE WHEN true THEN ", 3000, "1", "open CASEs"},
        {"SELECT '", "x", 900000, "'", "a text of 900 KB"},
        {"SELECT count(*) FROM people WHERE age IN (1", ",1", 400000, ")", "a list of 400,000"},
        {"", "/*", 30000, "", "open comments"},
        {"SELECT count(*) FROM people p", ", people p", 5000, "", "5000 tables"},
    };
    PGconn *connection = sign_in();
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        char *text = repeated(questions[i].before, questions[i].each, questions[i].times, questions[i].after);
        is_refused(connection, PQexec(connection, text), questions[i].what);
        free(text);
    }
    PQfinish(connection);
    others_are_served("deep and huge SQL");
}

static void ten_thousand_parameters(void)
{
    static const char *values[PARAMETERS];
    static Oid types[PARAMETERS];
    PGconn *connection = sign_in();
    for (int i = 0; i < PARAMETERS; i++) {
        values[i] = "1";
        types[i] = 20;
    }
    is_refused(connection,
               PQexecParams(connection, "SELECT count(*) FROM people WHERE age > $1", PARAMETERS, types,
                            values, NULL, NULL, 0),
               "more parameters than there are places");
    char *text = malloc(PARAMETERS * 8 + 100), *at = text;
    at = stpcpy(at, "SELECT count(*) FROM people WHERE age IN ($1");
    for (int i = 2; i <= PARAMETERS; i++)
        at += sprintf(at, ",$%d", i);
    strcpy(at, ")");
    is_refused(connection, PQexecParams(connection, text, PARAMETERS, types, values, NULL, NULL, 0),
               "ten thousand parameters");
    free(text);
    is_refused(connection, PQexecParams(connection, "SELECT $65535", 1, types, values, NULL, NULL, 0),
               "the largest number");
    PQfinish(connection);
    others_are_served("ten thousand parameters");
}

/* ---- Rubbish ---- */

static void rubbish(void)
{
    static char bytes[100000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
    for (int i = 0; i < 4; i++) {
        int file = plain_socket("PGPORT");
        send_all(file, bytes + 1000 * i, sizeof bytes - (size_t)(1000 * i));
        if (!is_ended(file, 10))
            stop("rubbish is listened to");
        close(file);
        PGconn *connection = sign_in();
        send_all(PQsocket(connection), bytes + 500 * i, 3000);
        shutdown(PQsocket(connection), SHUT_WR);
        if (!is_ended(PQsocket(connection), 10))
            stop("rubbish of one who is known is listened to");
        PQfinish(connection);
    }
    others_are_served("rubbish");
}

/* What comes together with the request for TLS was there before anybody could know who sent it (CVE-2021-23214). */
static void bytes_before_the_handshake(void)
{
    static const char request[] = "\0\0\0\x08\x04\xd2\x16\x2fQ\0\0\0\x0dSELECT 1";
    char reply[64] = "";
    int file = plain_socket("PGPORT");
    send_all(file, request, sizeof request);
    ssize_t count = recv(file, reply, sizeof reply, 0);
    if ((count > 0 && reply[0] == 'S') || !is_ended(file, 10))
        stop("bytes before the handshake are accepted: %c", reply[0]);
    close(file);
    file = plain_socket("PGPORT"); /* the handshake itself: begun, and left there; and rubbish instead */
    send_all(file, request, 8);
    if (recv(file, reply, 1, 0) != 1 || reply[0] != 'S')
        stop("there is no TLS");
    int other = plain_socket("PGPORT");
    send_all(other, request, 8);
    if (recv(other, reply, 1, 0) != 1)
        stop("there is no TLS");
    send_all(other, request, sizeof request);
    if (!is_ended(other, 10))
        stop("rubbish for a handshake is waited for");
    others_are_served("half a handshake");
    close(other);
    close(file);
}

/* ---- The whole ---- */

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    server = argv[1];
    if (argc > 2) {
        bytes_before_the_handshake();
        return 0;
    }
    others_are_served("nothing");
    others_are_served("nothing");
    long memory = memory_kilobytes();
    int files = descriptors();
    half_open();
    byte_by_byte();
    a_gigabyte_announced();
    answers_that_nobody_reads();
    deep_and_huge_sql();
    ten_thousand_parameters();
    rubbish();
    mean_ill_over_http();
    for (int i = 0; i < 100 && descriptors() > files + WORKERS; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    if (descriptors() > files + WORKERS)
        stop("%d descriptors are left over", descriptors() - files);
    if (memory_kilobytes() - memory > 200 << 10)
        stop("the server grew from %ld to %ld KB", memory, memory_kilobytes());
    return 0;
}
