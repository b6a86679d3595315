#include "ledger/batch.h"

#include <semaphore.h>

#include "ledger/handle.h"

struct batch_act {
    batch_work *work;
    void *context;
    struct batch_act *next;
    status result;
    error why;
    sem_t turn; /* of the thread that waits: it is done, or is to lead */
    bool leads; /* set before that */
};

status batch_init(struct batch *batch, error *why)
{
    if (pthread_mutex_init(&batch->lock, NULL) != 0)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    batch->made = true;
    return DITHER_OK;
}

void batch_free(struct batch *batch)
{
    if (!batch->made)
        return;
    pthread_mutex_destroy(&batch->lock);
    batch->made = false;
}

/* ---- The leader ---- */

static void fail_all(struct batch_act *acts, const struct batch_act *but, status result, const error *why)
{
    for (struct batch_act *act = acts; act != NULL; act = act->next)
        if (act != but)
            act->result = fail(&act->why, result, "%s", why->message);
}

static bool is_fatal(const struct ledger *ledger, status result)
{
    return ledger_has_failed(ledger) ||
           (result != DITHER_OK && result != DITHER_REFUSED && result != DITHER_INVALID);
}

/* The first whose work broke the handle, or NULL. */
static const struct batch_act *run_all(struct ledger *ledger, struct batch_act *acts)
{
    for (struct batch_act *act = acts; act != NULL; act = act->next) {
        act->result = act->work(ledger, act->context, &act->why);
        if (is_fatal(ledger, act->result))
            return act;
    }
    return NULL;
}

static void lead(struct ledger *ledger, struct batch_act *acts)
{
    error why = {.message = ""};
    status result = ledger_begin(ledger, &why);
    if (result != DITHER_OK) {
        fail_all(acts, NULL, result, &why);
        return;
    }
    const struct batch_act *broken = run_all(ledger, acts);
    result = ledger_end(ledger, broken != NULL ? broken->result : DITHER_OK, &why);
    if (broken != NULL)
        fail_all(acts, broken, result == DITHER_NO_MEMORY ? DITHER_NO_MEMORY : DITHER_IO, &broken->why);
    else if (result != DITHER_OK)
        fail_all(acts, NULL, result, &why);
}

/* ---- Everybody ---- */

static void push(struct batch *batch, struct batch_act *act)
{
    if (batch->last != NULL)
        batch->last->next = act;
    else
        batch->first = act;
    batch->last = act;
    batch->waiting++;
}

static struct batch_act *take_all(struct batch *batch)
{
    struct batch_act *acts = batch->first;
    batch->first = batch->last = NULL;
    batch->waiting = 0;
    return acts;
}

/* The first of those who came meanwhile leads next; without any, whoever comes. */
static void pass_the_lead(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    struct batch_act *next = batch->first;
    batch->leading = next != NULL;
    pthread_mutex_unlock(&batch->lock);
    if (next == NULL)
        return;
    next->leads = true;
    sem_post(&next->turn);
}

/* An act is its thread's again, and may be gone, as soon as that is told. */
static void tell_all(struct batch_act *acts, const struct batch_act *but)
{
    struct batch_act *next = NULL;
    for (struct batch_act *act = acts; act != NULL; act = next) {
        next = act->next;
        if (act != but)
            sem_post(&act->turn);
    }
}

static void take_the_lead(struct ledger *ledger, const struct batch_act *own)
{
    struct batch *batch = &ledger->batch;
    pthread_mutex_lock(&batch->lock);
    struct batch_act *acts = take_all(batch);
    pthread_mutex_unlock(&batch->lock);
    lead(ledger, acts);
    pass_the_lead(batch);
    tell_all(acts, own);
}

/* Whether it is to lead; otherwise it is done. */
static bool wait_for_turn(struct batch_act *act)
{
    while (sem_wait(&act->turn) != 0)
        continue; /* a signal came */
    return act->leads;
}

status batch_do(struct ledger *ledger, batch_work *work, void *context, error *why)
{
    struct batch *batch = &ledger->batch;
    struct batch_act act = {.work = work, .context = context, .why = {.position = -1}};
    TRY(ledger_usable(ledger, why));
    sem_init(&act.turn, 0, 0);
    pthread_mutex_lock(&batch->lock);
    push(batch, &act);
    bool leads = !batch->leading;
    batch->leading = true;
    pthread_mutex_unlock(&batch->lock);
    if (leads || wait_for_turn(&act))
        take_the_lead(ledger, &act);
    sem_destroy(&act.turn);
    if (act.result != DITHER_OK && why != NULL)
        *why = act.why;
    return act.result;
}
