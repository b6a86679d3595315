/* Answers that this process has given, for whoever asks the very same again: same analyst, same text, same settings.
 *
 * He has paid for every release in it and has seen every number of it, so showing them again costs nothing and needs
 * no entry; the ledger only says whether he may still ask at all. Nobody gets an answer that was given to another. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "curator/code.h"
#include "curator/room.h"

enum { MOST_BYTES = 256 << 10 }; /* of one answer: larger ones go the whole way */

static status name_question(const struct curator_question *question, const char *settings, struct digest *out,
                            error *why)
{
    const char *analyst = question->analyst != NULL ? question->analyst : "";
    struct digest_part parts[] = {{question->analyst != NULL ? "a" : "o", 1},
                                  {analyst, strlen(analyst)},
                                  {question->text, strlen(question->text)},
                                  {settings, strlen(settings)}};
    return digest_of_parts(parts, sizeof parts / sizeof parts[0], out, why);
}

static struct recalled *find(struct curator *curator, const struct digest *name)
{
    for (size_t i = 0; i < CURATOR_RECALLED; i++)
        if (curator->recalled[i].bytes != NULL && digest_equal(&curator->recalled[i].name, name))
            return &curator->recalled[i];
    return NULL;
}

status recall_find(struct curator *curator, const struct curator_question *question, const char *settings,
                   struct curator_answer *answer, bool *found, error *why)
{
    struct digest name;
    *found = false;
    if (question->request != NULL)
        return DITHER_OK; /* request ids are the ledger's */
    TRY(name_question(question, settings, &name, why));
    const struct recalled *recalled = find(curator, &name);
    if (recalled == NULL)
        return DITHER_OK;
    TRY(ledger_may_show(curator->ledger, question->analyst, &answer->remaining, why));
    TRY(code_read_answer((struct ledger_bytes){recalled->bytes, recalled->size}, answer, why));
    if (question->confirm != NULL)
        TRY(question->confirm(question->context, &answer->cost, NAN, why));
    *found = true;
    return DITHER_OK;
}

static void forget(struct recalled *recalled)
{
    memory_release(recalled->bytes, recalled->size);
    *recalled = (struct recalled){0};
}

/* What cannot be kept is not: the ledger has it. */
void recall_keep(struct curator *curator, const struct curator_question *question, const char *settings,
                 const struct curator_answer *answer)
{
    struct digest name;
    struct buffer bytes;
    struct curator_answer again = *answer;
    again.cost = ledger_cost_zero();
    again.cached = true;
    buffer_init(&bytes, MOST_BYTES);
    code_write_answer(&bytes, &again);
    if (!bytes.failed && name_question(question, settings, &name, NULL) == DITHER_OK) {
        struct recalled *place = find(curator, &name);
        if (place == NULL)
            place = &curator->recalled[curator->recalled_count++ % CURATOR_RECALLED];
        forget(place);
        char *copy = memory_allocate(bytes.length);
        if (copy != NULL) {
            memcpy(copy, bytes.data, bytes.length);
            *place = (struct recalled){name, copy, bytes.length};
        }
    }
    buffer_free(&bytes);
}

void recall_forget(struct curator *curator)
{
    for (size_t i = 0; i < CURATOR_RECALLED; i++)
        forget(&curator->recalled[i]);
}
