/* server.h - `dither serve` on a lab's policy, in a process of its own, and a connection to it as eve.
 *
 * The server takes any free port of this machine, and ends when it is closed or when this process dies. */
#ifndef ATTACK_SERVER_H
#define ATTACK_SERVER_H

#include "attack/lab.h"

struct server;

/* `program` is the file of dither; the lab's policy must have been written by lab_save as policy.yaml, and must name
 * the analyst eve. */
status server_open(const char *program, const struct lab *lab, const char *dataset, struct server **out,
                   error *why) MUST_CHECK;
void server_close(struct server *server);

/* Asks, and says how long it took until all of the answer was there, and what its only number was. */
status server_ask(struct server *server, const char *sql, double *seconds, double *number,
                  error *why) MUST_CHECK;

/* A statement whose answer nobody wants: SET ... */
status server_set(struct server *server, const char *sql, error *why) MUST_CHECK;

#endif
