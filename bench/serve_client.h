/* serve_client.h - many clients of the PostgreSQL protocol in one thread: libpq signs in, then each sends a Query, waits
 * for ReadyForQuery, and sends the next. As lean as it can be, for it takes its time from the server it measures. */
#ifndef BENCH_SERVE_CLIENT_H
#define BENCH_SERVE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

struct serve_clients;

struct serve_clients *serve_clients_connect(int port, size_t count);
/* The same over HTTP, with a token and connections that are kept: each posts a question and reads the answer. Rows are not
 * counted, bytes are. */
struct serve_clients *serve_clients_connect_http(int port, const char *token, size_t count);
void serve_clients_close(struct serve_clients *clients);

/* Writes the text of question number `number`. */
typedef void serve_text(uint64_t number, char text[256]);

struct serve_load {
    double rate;     /* answers a second */
    double answers;  /* how many */
    double rows;     /* in all of them together; of HTTP: bytes of their bodies */
    double p50, p99; /* seconds from the question to the end of its answer */
};

/* Each of the clients keeps one question under way until the time is over; numbers begin at `first` and count up. An
 * answer that is an error ends the program. Returns the next number. */
uint64_t serve_clients_run(struct serve_clients *clients, serve_text *text, uint64_t first, double seconds,
                           struct serve_load *out);

#endif
