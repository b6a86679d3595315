#include "serve/tries.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "ledger/digest.h"

enum { WAYS = 8, SETS = TRIES_PLACES / WAYS, UNIT = 1000, KEY_BYTES = 32, NETWORK_TEXT = 64 };

/* `level` is in thousandths of a failure, at `when`; it falls with time. */
struct place {
    struct digest name;
    int64_t when, level;
};

struct tries {
    pthread_mutex_t lock;
    int64_t (*clock)(void);
    unsigned char key[KEY_BYTES];
    struct place places[TRIES_PLACES];
};

/* What a bucket holds, and how fast it leaks. */
struct measure {
    int64_t most, per_second; /* in thousandths */
};
static const struct measure of_name = {TRIES_OF_NAME * UNIT, UNIT / TRIES_SECONDS};
static const struct measure of_address = {TRIES_OF_ADDRESS * UNIT, 10 * UNIT / TRIES_SECONDS};

status tries_new(struct random *random, int64_t (*clock)(void), struct tries **out, error *why)
{
    const uint64_t *words = NULL;
    TRY(random_take(random, KEY_BYTES / 8, &words, why));
    struct tries *tries = memory_allocate(sizeof *tries);
    if (tries == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    memcpy(tries->key, words, KEY_BYTES);
    tries->clock = clock != NULL ? clock : monotonic_milliseconds;
    pthread_mutex_init(&tries->lock, NULL);
    *out = tries;
    return DITHER_OK;
}

void tries_free(struct tries *tries)
{
    if (tries == NULL)
        return;
    pthread_mutex_destroy(&tries->lock);
    memory_release(tries, sizeof *tries);
}

/* ---- Buckets ---- */

static void network_of(const char *address, char text[NETWORK_TEXT])
{
    struct in6_addr six;
    snprintf(text, NETWORK_TEXT, "%s", address);
    if (inet_pton(AF_INET6, address, &six) != 1 || IN6_IS_ADDR_V4MAPPED(&six))
        return;
    for (size_t i = 8; i < sizeof six.s6_addr; i++)
        six.s6_addr[i] = 0;
    (void)inet_ntop(AF_INET6, &six, text, NETWORK_TEXT);
}

/* False: no hash can be made, and then nothing is limited. */
static bool bucket_name(const struct tries *tries, const char *address, const char *name, struct digest *out)
{
    char network[NETWORK_TEXT];
    network_of(address, network);
    struct digest_part parts[] = {{tries->key, KEY_BYTES},
                                  {network, strlen(network) + 1},
                                  {name != NULL ? name : "", name != NULL ? strlen(name) + 1 : 0}};
    return digest_of_parts(parts, 3, out, NULL) == DITHER_OK;
}

static int64_t level_now(const struct place *place, const struct measure *measure, int64_t now)
{
    int64_t leaked = (now - place->when) * measure->per_second / 1000;
    return place->level > leaked ? place->level - leaked : 0;
}

static struct place *set_of(struct tries *tries, const struct digest *name)
{
    size_t set = ((size_t)name->bytes[0] << 8 | name->bytes[1]) % SETS;
    return &tries->places[set * WAYS];
}

static struct place *find(struct tries *tries, const struct digest *name)
{
    struct place *set = set_of(tries, name);
    for (size_t i = 0; i < WAYS; i++)
        if (set[i].level > 0 && digest_equal(&set[i].name, name))
            return &set[i];
    return NULL;
}

/* The place that has leaked most, by the slower leak. */
static struct place *make_room(struct tries *tries, const struct digest *name, int64_t now)
{
    struct place *set = set_of(tries, name), *least = set;
    for (size_t i = 1; i < WAYS; i++)
        if (level_now(&set[i], &of_name, now) < level_now(least, &of_name, now))
            least = &set[i];
    *least = (struct place){.name = *name, .when = now};
    return least;
}

static void fill(struct tries *tries, const char *address, const char *name, const struct measure *measure)
{
    struct digest bucket;
    int64_t now = tries->clock();
    if (!bucket_name(tries, address, name, &bucket))
        return;
    struct place *place = find(tries, &bucket);
    if (place == NULL)
        place = make_room(tries, &bucket, now);
    int64_t level = level_now(place, measure, now) + UNIT;
    place->level = level < measure->most ? level : measure->most;
    place->when = now;
}

static bool has_room(struct tries *tries, const char *address, const char *name,
                     const struct measure *measure)
{
    struct digest bucket;
    if (!bucket_name(tries, address, name, &bucket))
        return true;
    const struct place *place = find(tries, &bucket);
    return place == NULL || level_now(place, measure, tries->clock()) + UNIT <= measure->most;
}

/* ---- For callers ---- */

bool tries_may(struct tries *tries, const char *address, const char *name)
{
    if (tries == NULL)
        return true;
    pthread_mutex_lock(&tries->lock);
    bool may = has_room(tries, address, NULL, &of_address) &&
               (name == NULL || has_room(tries, address, name, &of_name));
    pthread_mutex_unlock(&tries->lock);
    return may;
}

void tries_failed(struct tries *tries, const char *address, const char *name)
{
    if (tries == NULL)
        return;
    pthread_mutex_lock(&tries->lock);
    fill(tries, address, NULL, &of_address);
    if (name != NULL)
        fill(tries, address, name, &of_name);
    pthread_mutex_unlock(&tries->lock);
}

void tries_succeeded(struct tries *tries, const char *address, const char *name)
{
    struct digest bucket;
    if (tries == NULL)
        return;
    pthread_mutex_lock(&tries->lock);
    struct place *place = bucket_name(tries, address, name, &bucket) ? find(tries, &bucket) : NULL;
    if (place != NULL)
        place->level = 0;
    pthread_mutex_unlock(&tries->lock);
}
