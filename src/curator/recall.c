/* Answers that this process has given, for whoever asks the very same again: same analyst, same text, same settings.
 *
 * He has paid for every release in it and has seen every number of it, so showing them again costs nothing and needs
 * no entry; the ledger only says whether he may still ask at all. Nobody gets an answer that was given to another.
 *
 * All curators of a process share them. An answer has a few places, by its name; the oldest of these makes room. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "curator/code.h"
#include "curator/room.h"

enum {
    MOST_BYTES = 256 << 10, /* of one answer: larger ones go the whole way */
    ALL_BYTES = 64 << 20,
    SETS = 1024,
    PLACES = 4, /* in a set */
};

/* An answer in bytes (code.h). */
struct recalled {
    struct digest name;
    char *bytes;
    size_t size;
};

struct recall {
    pthread_mutex_t lock;
    struct recalled sets[SETS][PLACES];
    unsigned char next[SETS]; /* the place that makes room */
    size_t bytes;
    size_t swept; /* the set that loses all when all together are too much */
};

status recall_new(struct recall **out, error *why)
{
    struct recall *recall = memory_allocate(sizeof *recall);
    if (recall == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    pthread_mutex_init(&recall->lock, NULL);
    *out = recall;
    return DITHER_OK;
}

static void forget(struct recall *recall, struct recalled *recalled)
{
    recall->bytes -= recalled->size;
    memory_release(recalled->bytes, recalled->size);
    *recalled = (struct recalled){0};
}

static void forget_set(struct recall *recall, size_t set)
{
    for (size_t i = 0; i < PLACES; i++)
        forget(recall, &recall->sets[set][i]);
}

void recall_free(struct recall *recall)
{
    if (recall == NULL)
        return;
    for (size_t set = 0; set < SETS; set++)
        forget_set(recall, set);
    pthread_mutex_destroy(&recall->lock);
    memory_release(recall, sizeof *recall);
}

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

static size_t set_of(const struct digest *name)
{
    uint32_t word = 0;
    memcpy(&word, name->bytes, sizeof word);
    return word % SETS;
}

static struct recalled *find(struct recall *recall, const struct digest *name)
{
    struct recalled *set = recall->sets[set_of(name)];
    for (size_t i = 0; i < PLACES; i++)
        if (set[i].bytes != NULL && digest_equal(&set[i].name, name))
            return &set[i];
    return NULL;
}

static status read_kept(struct recall *recall, const struct digest *name, struct curator_answer *answer,
                        bool *found, error *why)
{
    status result = DITHER_OK;
    pthread_mutex_lock(&recall->lock);
    const struct recalled *recalled = find(recall, name);
    *found = recalled != NULL;
    if (recalled != NULL)
        result = code_read_answer((struct ledger_bytes){recalled->bytes, recalled->size}, answer, why);
    pthread_mutex_unlock(&recall->lock);
    return result;
}

/* Whether he may still ask. Without waiting it is not always known: then nothing is found. */
static status may_show(struct curator *curator, const struct curator_question *question,
                       struct ledger_sight *sight, struct curator_answer *answer, bool *known, error *why)
{
    const bool waits = sight == NULL;
    TRY(ledger_may_show_now(curator->ledger, sight, question->analyst, &answer->remaining, known, why));
    if (*known || !waits)
        return DITHER_OK;
    *known = true;
    return ledger_may_show(curator->ledger, question->analyst, &answer->remaining, why);
}

status recall_find(struct curator *curator, const struct curator_question *question, const char *settings,
                   struct ledger_sight *sight, struct curator_answer *answer, bool *found, error *why)
{
    struct digest name;
    *found = false;
    if (question->request != NULL)
        return DITHER_OK; /* request ids are the ledger's */
    TRY(name_question(question, settings, &name, why));
    TRY(read_kept(curator->recall, &name, answer, found, why));
    if (*found)
        TRY(may_show(curator, question, sight, answer, found, why));
    if (*found && question->confirm != NULL)
        TRY(question->confirm(question->context, &answer->cost, NAN, why));
    return DITHER_OK;
}

static void keep(struct recall *recall, const struct digest *name, const struct buffer *bytes)
{
    char *copy = memory_allocate(bytes->length);
    if (copy == NULL)
        return;
    memcpy(copy, bytes->data, bytes->length);
    pthread_mutex_lock(&recall->lock);
    while (recall->bytes + bytes->length > ALL_BYTES)
        forget_set(recall, recall->swept++ % SETS);
    struct recalled *place = find(recall, name);
    size_t set = set_of(name);
    if (place == NULL)
        place = &recall->sets[set][recall->next[set]++ % PLACES];
    forget(recall, place);
    *place = (struct recalled){*name, copy, bytes->length};
    recall->bytes += bytes->length;
    pthread_mutex_unlock(&recall->lock);
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
    if (!bytes.failed && name_question(question, settings, &name, NULL) == DITHER_OK)
        keep(curator->recall, &name, &bytes);
    buffer_free(&bytes);
}
