/* serve_house.h - a `dither serve` to measure: a policy with 10,000 people in a folder of its own, an analyst with a
 * password, and the program of this build as a process. */
#ifndef BENCH_SERVE_HOUSE_H
#define BENCH_SERVE_HOUSE_H

#include <stddef.h>
#include <sys/types.h>

enum { SERVE_PEOPLE = 10000 };

struct serve_house {
    char folder[64];
    char program[4096];
    pid_t server;
    int port, http_port;
    char token[128]; /* of the analyst, for HTTP */
};

enum serve_disk {
    SERVE_DISK_AS_IT_IS,
    SERVE_DISK_SLOW /* five milliseconds more for each sync: bench/slow_sync */
};

/* Says why and ends the program when something is missing. */
void serve_house_open(struct serve_house *house, size_t connections, enum serve_disk disk);
void serve_house_close(struct serve_house *house);

/* What of the server's memory is its own and in use. */
double serve_house_bytes(const struct serve_house *house);

/* Seconds of processor time that server and clients have used so far, together. */
double serve_house_work(const struct serve_house *house);

void serve_give_up(const char *what, const char *why);

#endif
