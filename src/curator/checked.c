/* SQL that was found sound, by its digest: what the shadow or an empty scratch has accepted once they accept again, as
 * neither's tables change. All curators of a process share it, so that a check is made once and not by each of them. A
 * digest has a few places; the oldest of these makes room. */
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "curator/room.h"

enum { SETS = 1024, PLACES = 4 };

struct checked {
    pthread_mutex_t lock;
    struct digest sets[SETS][PLACES];
    size_t counts[SETS]; /* that were ever remembered there */
};

status checked_new(struct checked **out, error *why)
{
    struct checked *checked = memory_allocate(sizeof *checked);
    if (checked == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    pthread_mutex_init(&checked->lock, NULL);
    *out = checked;
    return DITHER_OK;
}

void checked_free(struct checked *checked)
{
    if (checked == NULL)
        return;
    pthread_mutex_destroy(&checked->lock);
    memory_release(checked, sizeof *checked);
}

static size_t set_of(const struct digest *digest)
{
    uint32_t word = 0;
    memcpy(&word, digest->bytes, sizeof word);
    return word % SETS;
}

bool checked_has(struct checked *checked, const struct digest *digest)
{
    size_t set = set_of(digest);
    bool found = false;
    pthread_mutex_lock(&checked->lock);
    for (size_t i = 0; i < PLACES && i < checked->counts[set]; i++)
        found = found || digest_equal(&checked->sets[set][i], digest);
    pthread_mutex_unlock(&checked->lock);
    return found;
}

void checked_add(struct checked *checked, const struct digest *digest)
{
    size_t set = set_of(digest);
    pthread_mutex_lock(&checked->lock);
    checked->sets[set][checked->counts[set]++ % PLACES] = *digest;
    pthread_mutex_unlock(&checked->lock);
}
