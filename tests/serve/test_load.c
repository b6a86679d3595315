/* A server under load, with real clients (libpq), each a process.
 *
 * It is killed (SIGKILL) again and again while they ask, and started again; they retry under the request id of the question
 * that was not answered. In the end every answer that a client saw is in the ledger, and a retry gives it again; each id was
 * charged at most once. Stopped gracefully, it answers wholly or not at all. Five thousand connections that are opened and
 * dropped, at every stage of the protocol, leave nothing behind. */
#include "tests/support/test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ledger/history.h"
#include "tests/support/server_process.h"
#include "tests/support/torture.h"

enum {
    CLIENTS = 6,
    KILLS = 3,
    STOPS = 1,
    MOST_QUESTIONS = 4096, /* of one client */
    MOST_TRIES = 5000,     /* to connect */
    DROPPED = 5000,
    AT_ONCE = 1000,
};

static struct server_process server;

static int set_up(void **state)
{
    (void)state;
    server_process_make(&server);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (server.process > 0)
        server_process_kill(&server);
    server_process_remove(&server);
    return 0;
}

/* ---- Clients ---- */

/* What a client says through the pipe, in one write. */
struct word {
    int client, question, attempt;
    enum { ANSWERED, UNANSWERED, TOO_LATE } kind;
    char answer[24];
};

static void say(int end, struct word word)
{
    if (write(end, &word, sizeof word) != (ssize_t)sizeof word)
        _exit(3);
}

static void name_request(const struct word *word, char name[64])
{
    snprintf(name, 64, "client %d question %d attempt %d", word->client, word->question, word->attempt);
}

/* A different question for each client and number. */
static PGresult *ask(PGconn *connection, const struct word *word)
{
    char text[200], name[64];
    name_request(word, name);
    snprintf(text, sizeof text, "SET dither.request_id = '%s'", name);
    PQclear(PQexec(connection, text));
    snprintf(text, sizeof text, "SELECT count(*) FROM patients WHERE patient_id <> %d",
             1000 + word->client * MOST_QUESTIONS + word->question);
    return PQexec(connection, text);
}

/* The server says that it goes away. */
static bool is_fatal(const PGresult *result)
{
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY);
    return severity != NULL && strcmp(severity, "FATAL") == 0;
}

/* Asks until it is told to end; after a lost connection the same again, under the same id. An id that was charged and never
 * answered is given up, and the question asked anew. */
static void be_client(int number, int end)
{
    PGconn *connection = NULL;
    struct word word = {.client = number};
    while (word.question < MOST_QUESTIONS) {
        for (int i = 0; connection == NULL; i++) {
            if (i == MOST_TRIES)
                _exit(5);
            usleep(20000);
            connection = server_process_connect(&server);
        }
        PGresult *result = ask(connection, &word);
        if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1) {
            word.kind = ANSWERED;
            snprintf(word.answer, sizeof word.answer, "%s", PQgetvalue(result, 0, 0));
            say(end, word);
            word.question++;
            word.attempt = 0;
        } else if (strstr(PQresultErrorMessage(result), "charged and never answered") != NULL) {
            word.kind = TOO_LATE;
            say(end, word);
            word.attempt++;
        } else if (PQstatus(connection) == CONNECTION_OK && !is_fatal(result)) {
            fprintf(stderr, "client %d: %s\n", number, PQresultErrorMessage(result));
            _exit(4);
        }
        bool over = PQstatus(connection) != CONNECTION_OK || is_fatal(result);
        PQclear(result);
        if (over) {
            word.kind = UNANSWERED;
            say(end, word);
            PQfinish(connection);
            connection = NULL;
        }
    }
    _exit(0);
}

struct crowd {
    pid_t clients[CLIENTS];
    int pipe[2];
    struct word *answered;
    size_t answered_count, unanswered, late;
};

static void start_clients(struct crowd *crowd)
{
    *crowd = (struct crowd){.answered = calloc(CLIENTS * MOST_QUESTIONS, sizeof *crowd->answered)};
    assert_non_null(crowd->answered);
    assert_int_equal(pipe(crowd->pipe), 0);
    fflush(NULL);
    for (int i = 0; i < CLIENTS; i++) {
        crowd->clients[i] = fork();
        assert_true(crowd->clients[i] >= 0);
        if (crowd->clients[i] == 0)
            be_client(i, crowd->pipe[1]);
    }
}

static void listen_to(struct crowd *crowd)
{
    struct pollfd end = {.fd = crowd->pipe[0], .events = POLLIN};
    struct word word;
    while (poll(&end, 1, 0) == 1) {
        assert_int_equal(read(crowd->pipe[0], &word, sizeof word), sizeof word);
        crowd->unanswered += word.kind == UNANSWERED;
        crowd->late += word.kind == TOO_LATE;
        if (word.kind == ANSWERED)
            crowd->answered[crowd->answered_count++] = word;
    }
}

static void end_clients(struct crowd *crowd)
{
    for (int i = 0; i < CLIENTS; i++) {
        int outcome = 0;
        kill(crowd->clients[i], SIGKILL);
        assert_int_equal(waitpid(crowd->clients[i], &outcome, 0), crowd->clients[i]);
        assert_true(WIFSIGNALED(outcome)); /* none met anything that it did not expect */
    }
    listen_to(crowd);
    close(crowd->pipe[0]);
    close(crowd->pipe[1]);
}

static void wait_for_answers(struct crowd *crowd, size_t more)
{
    size_t wanted = crowd->answered_count + more;
    for (int i = 0; i < 6000 && crowd->answered_count < wanted; i++) {
        usleep(10000);
        listen_to(crowd);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), 0); /* nobody gave up */
    }
    assert_true(crowd->answered_count >= wanted);
}

/* ---- What the ledger says ---- */

static const struct reservation_record *find_request(const struct state *state, const char *name)
{
    struct reservation_record *found = NULL;
    error why;
    assert_int_equal(state_find_request(state, name, &found, &why), DITHER_OK);
    return found;
}

/* Every answer that was seen is settled; what was spent is one for each entry, and an id is in one entry at most, for the chain
 * takes no second. */
static void check_ledger(const struct crowd *crowd)
{
    char path[160], name[64];
    struct history *history = NULL;
    struct history_verdict verdict;
    error why;
    snprintf(path, sizeof path, "%s/hospital.ledger", server.hospital.folder);
    if (history_verify(path, NULL, server.state, &verdict, &why) != DITHER_OK || !verdict.sound)
        fail_msg("%s", verdict.reason);
    assert_int_equal(history_open(path, NULL, server.state, &history, &why), DITHER_OK);
    const struct state *state = history_state(history);
    for (size_t i = 0; i < crowd->answered_count; i++) {
        name_request(&crowd->answered[i], name);
        const struct reservation_record *record = find_request(state, name);
        assert_non_null(record);
        assert_true(record->settled);
    }
    struct decimal one, spent;
    assert_int_equal(decimal_parse("1", &one, NULL), DITHER_OK);
    assert_true(decimal_multiply(one, state->reservation_count, &spent));
    assert_int_equal(decimal_compare(history_sum(history, HOLDER_DATASET_PLACE).lifetime.epsilon, spent), 0);
    assert_true(state->reservation_count >= crowd->answered_count);
    print_message("%zu answers seen, %zu charges, %zu connections lost in a question, %zu of them after its "
                  "charge\n",
                  crowd->answered_count, state->reservation_count, crowd->unanswered, crowd->late);
    history_close(history);
}

/* A retry of each gives the very same. */
static void check_retries(const struct crowd *crowd)
{
    PGconn *connection = server_process_connect(&server);
    assert_non_null(connection);
    for (size_t i = 0; i < crowd->answered_count; i++) {
        PGresult *result = ask(connection, &crowd->answered[i]);
        if (PQresultStatus(result) != PGRES_TUPLES_OK)
            fail_msg("%s", PQresultErrorMessage(result));
        assert_string_equal(PQgetvalue(result, 0, 0), crowd->answered[i].answer);
        PQclear(result);
    }
    PQfinish(connection);
}

/* ---- The tests ---- */

static void killed_again_and_again_it_charges_once_and_answers_the_same(void **state)
{
    (void)state;
    struct crowd crowd;
    srandom(20261116);
    server_process_start(&server, 100);
    start_clients(&crowd);
    for (int i = 0; i < torture_count(KILLS); i++) {
        wait_for_answers(&crowd, CLIENTS);
        usleep((useconds_t)(random() % 30000));
        server_process_kill(&server);
        server_process_start(&server, 100);
    }
    wait_for_answers(&crowd, CLIENTS);
    end_clients(&crowd);
    check_retries(&crowd);
    server_process_stop(&server);
    check_ledger(&crowd);
    assert_true(crowd.unanswered > 0); /* something was under way when it died */
    free(crowd.answered);
}

static void stopped_it_answers_wholly_or_not_at_all(void **state)
{
    (void)state;
    struct crowd crowd;
    server_process_start(&server, 100);
    start_clients(&crowd);
    for (int i = 0; i < torture_count(STOPS); i++) {
        wait_for_answers(&crowd, CLIENTS);
        server_process_stop(&server); /* ends with 0, and soon: what was under way was finished */
        server_process_start(&server, 100);
    }
    wait_for_answers(&crowd, CLIENTS);
    end_clients(&crowd);
    check_retries(&crowd);
    server_process_stop(&server);
    check_ledger(&crowd);
    assert_int_equal(crowd.late, 0); /* nobody was charged without being answered */
    free(crowd.answered);
}

/* ---- Connections that come and go ---- */

static size_t count_files(void)
{
    char path[64];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)server.process);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* What a client may have sent when it goes. */
static const struct {
    const char *bytes;
    size_t count;
} beginnings[] = {
    {"", 0},
    {"\0\0", 2},                                /* half of a length */
    {"\0\0\0\x08\x04\xd2\x16\x2f", 8},          /* asks for TLS */
    {"\0\0\0\x10\x04\xd2\x16\x2e\1\2\3\4", 12}, /* a cancel request, unfinished */
    {"\0\0\0\x1c\0\3\0\0user\0alice\0database\0", 28},
    {"GET / HTTP/1.1\r\n\r\n", 18},
};

static int open_one(size_t number)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)server.port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    size_t kind = number % (sizeof beginnings / sizeof beginnings[0]);
    int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(one >= 0);
    assert_int_equal(connect(one, (const struct sockaddr *)&address, sizeof address), 0);
    if (beginnings[kind].count > 0)
        (void)!send(one, beginnings[kind].bytes, beginnings[kind].count, MSG_NOSIGNAL);
    if (number % 3 == 0) { /* by a reset, not by an end */
        struct linger now = {1, 0};
        (void)setsockopt(one, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    return one;
}

static size_t room_for_files(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    return limit.rlim_cur > AT_ONCE + 100 ? AT_ONCE : (size_t)limit.rlim_cur / 2;
}

static void five_thousand_connections_come_and_go_and_leave_nothing(void **state)
{
    (void)state;
    static int open[AT_ONCE];
    struct word word = {.client = CLIENTS};
    size_t at_once = room_for_files(), files = 0;
    server_process_start(&server, AT_ONCE + 100);
    PGconn *witness = server_process_connect(&server); /* who stays, and is answered all the time */
    assert_non_null(witness);
    PQclear(ask(witness, &word));
    size_t before = count_files();
    for (size_t done = 0; done < DROPPED; done += at_once) {
        for (size_t i = 0; i < at_once; i++)
            open[i] = open_one(done + i);
        word.question++;
        PGresult *result = ask(witness, &word);
        assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
        PQclear(result);
        for (size_t i = 0; i < at_once; i++)
            close(open[i]);
    }
    for (int i = 0; i < 500 && (files = count_files()) > before; i++)
        usleep(20000);
    print_message("%d connections, %zu at once: %zu files before, %zu after\n", DROPPED, at_once, before,
                  files);
    assert_true(files <= before);
    PQfinish(witness);
    server_process_stop(&server);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(killed_again_and_again_it_charges_once_and_answers_the_same, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(stopped_it_answers_wholly_or_not_at_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(five_thousand_connections_come_and_go_and_leave_nothing, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
