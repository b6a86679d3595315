/* client_limits.h - what the clients that mean ill share: client_limits.c over the PostgreSQL protocol, client_limits_http.c over
 * HTTP. */
#ifndef TESTS_CLIENTS_CLIENT_LIMITS_H
#define TESTS_CLIENTS_CLIENT_LIMITS_H

#include <stddef.h>

/* Says why, and ends with 1. */
void stop(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Connected to the port that this variable of the environment names. */
int plain_socket(const char *port);
/* All of it, unless the server does not listen any more. */
void send_all(int file, const void *bytes, size_t count);
/* Whether the server ends the connection within so many seconds; what it says before is read, and dropped. */
int is_ended(int file, int seconds);
/* An honest client is answered rightly, and soon. */
void others_are_served(const char *after);

/* client_limits_http.c: all of them. */
void mean_ill_over_http(void);

#endif
