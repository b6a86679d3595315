/* Questions of a Query that are asked again word by word: the bytes of the answer are at hand (shown.h), and may leave when
 * the ledger says so and what they tell of the budget is still true. They were written from what curator_recall gave, with
 * the same words, settings and asker, and from the same curator: it would give the same. */
#include "ledger/cost.h"
#include "serve/session_room.h"

static bool is_equal(struct ledger_cost left, struct ledger_cost right)
{
    return ledger_cost_within(left, right) && ledger_cost_within(right, left);
}

static struct shown_key key_of(const struct session *session, const char *text, const struct buffer *settings)
{
    return (struct shown_key){.who = session->user,
                              .role = session->role,
                              .settings = settings->data != NULL ? settings->data : "",
                              .text = text};
}

/* A retry by its request id is the ledger's. */
static bool is_plain(const struct session *session)
{
    return session->host->shown != NULL && session->simple.active && session->run == &session->simple.run &&
           session->run->statement.kind == SQL_SAYS_QUESTION && !session->run->for_catalogue;
}

static const struct shown_answer *find(const struct session *session, const char *text)
{
    struct buffer settings;
    buffer_init(&settings, SETTINGS_PRINTED_BYTES);
    settings_print(&session->settings, &settings);
    struct shown_key key = key_of(session, text, &settings);
    const struct shown_answer *found = settings.failed ? NULL : shown_find(session->host->shown, &key);
    buffer_free(&settings);
    return found;
}

bool shown_again(struct session *session, void *context, struct ledger_sight *sight)
{
    const struct serve_backend *backend = session->host->backend;
    const struct curator_question *question = &session->job.question;
    struct ledger_cost left;
    bool known = false;
    if (!is_plain(session) || question->request != NULL || backend->may_show == NULL)
        return false;
    const struct shown_answer *found = find(session, question->text);
    if (found == NULL ||
        backend->may_show(context, sight, question->analyst, &left, &known, NULL) != DITHER_OK || !known ||
        !is_equal(left, found->left))
        return false; /* the long way says why, or writes it anew */
    buffer_append(&session->output, found->bytes, found->size);
    session->job.result = DITHER_OK;
    session_note(session, &(struct curator_answer){
                              .cached = true, .currency = found->currency, .cost = ledger_cost_zero()});
    session->run->done = true;
    session->run = NULL;
    return true;
}

/* ---- Keeping ---- */

void shown_begin(struct session *session)
{
    session->run->keeping = is_plain(session) && session->job.recalled;
    session->run->kept_from = session->output.length;
}

void shown_end(struct session *session, const struct run *run)
{
    struct buffer settings;
    if (!run->keeping)
        return;
    const struct shown_answer answer = {.left = run->answer->remaining,
                                        .currency = run->answer->currency,
                                        .bytes = session->output.data + run->kept_from,
                                        .size = session->output.length - run->kept_from};
    buffer_init(&settings, SETTINGS_PRINTED_BYTES);
    settings_print(&session->settings, &settings);
    struct shown_key key = key_of(session, run->question, &settings);
    if (!settings.failed && !session->output.failed)
        shown_keep(session->host->shown, &key, &answer);
    buffer_free(&settings);
}
