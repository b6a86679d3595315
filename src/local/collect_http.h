/* collect_http.h - reports over HTTP, on serve/http.h's routes:
 *
 *     POST /v1/reports   {"reports": ["01...", ...]}, each as a line of text would be
 *                        -> {"counted": 2, "replayed": 0, "refused": {"range": 1}}
 *     GET  /v1/survey    the survey file
 *     GET  /healthz      {"ok": true}
 *
 * 200: all that could be taken is on disk, and need not be sent again; 422: the same, but nothing of it could; 400: the body is not
 * that; 503: nothing is sure, send the same again later. Nobody signs in: a survey asks everybody, and who can send anything can
 * send anything well-formed (docs/local.md says how far that moves an estimate). Names and addresses are not recorded.
 *
 * One thread commits. While it does, requests gather and become the next batch: the more come, the more share a sync. */
#ifndef LOCAL_COLLECT_HTTP_H
#define LOCAL_COLLECT_HTTP_H

#include "local/collect.h"
#include "serve/socket.h"

struct collect_server;

struct collect_server_options {
    struct socket_place place;
    const char *certificate, *key; /* PEM files; NULL: no TLS, and only this machine is listened to */
    const struct survey *survey;
    struct collector *collector; /* used by the server alone until it is closed; outlives it */
    /* A commit or a fold failed: for the owner. On a thread of the server's. */
    void (*tell)(const error *why);
};

enum { COLLECT_BODY_BYTES = 8 << 20 };

status collect_server_open(const struct collect_server_options *options, struct collect_server **out,
                           error *why) MUST_CHECK;
uint16_t collect_server_port(const struct collect_server *server);

/* What became of all reports so far. */
struct collect_counts collect_server_counts(struct collect_server *server);

/* Nobody new comes in; what is under way is answered. */
void collect_server_close(struct collect_server *server);

#endif
