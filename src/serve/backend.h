/* backend.h - who answers: what a session needs of a curator, as one table of functions, so that tests can stand in.
 *
 * Laws: one call at a time; a call may take long and is made from a thread that may wait. What a call allocates for its
 * caller is the caller's, as curator.h says. Nothing of a failed call is kept. */
#ifndef SERVE_BACKEND_H
#define SERVE_BACKEND_H

#include "curator/curator.h"

struct serve_backend {
    status (*ask)(void *context, const struct curator_question *question, struct curator_answer **out,
                  error *why);
    /* What was answered before, if it can be had without waiting; else `out` is NULL. From any thread, at any time. May be
     * NULL: there is no such thing. `sight` as curator_recall has it. */
    status (*recall)(void *context, const struct curator_question *question, struct ledger_sight *sight,
                     struct curator_answer **out, error *why);
    /* Whether what `recall` gave to the analyst may be shown to him again, as ledger_may_show_now says. May be NULL:
     * then each answer is written anew. */
    status (*may_show)(void *context, struct ledger_sight *sight, const char *analyst,
                       struct ledger_cost *left, bool *known, error *why);
    /* The columns of the answer; spends nothing. */
    status (*describe)(void *context, const struct curator_question *question, struct arena *arena,
                       struct curator_column **columns, size_t *count, error *why);
    status (*explain)(void *context, const struct curator_question *question, bool json, struct buffer *out,
                      error *why);
    /* "epsilon 9.9, delta 1e-6" */
    status (*remaining)(void *context, const char *analyst, struct buffer *out, error *why);
};

/* The context is a struct curator. */
extern const struct serve_backend serve_backend_curator;

#endif
