/* The buffer between a source of bytes and the samplers. It lives in pages of its own, which the kernel
 * replaces by zeros in a forked child (MADV_WIPEONFORK) and leaves out of core dumps: a child can never
 * repeat its parent's noise, because the mark that says "this buffer is alive" is wiped together with the
 * words. */
#include "random/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "random/system_source.h"

/* What is wiped on fork. `alive` is 0 in a child. */
struct secret_pages {
    uint64_t alive;
    uint64_t words[RANDOM_BUFFER_WORDS];
};

struct random {
    struct random_source source;
    bool is_system; /* the system's source can be replaced after fork; a test's cannot */
    bool failed;    /* once without entropy, always without answers */
    struct secret_pages *secret;
    size_t used; /* words of the buffer that were handed out */
    uint64_t bytes_used;
    pid_t owner; /* consulted only where the kernel cannot wipe */
    bool wipes;
};

static struct secret_pages *map_secret_pages(bool *wipes)
{
    void *pages =
        mmap(NULL, sizeof(struct secret_pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    *wipes = madvise(pages, sizeof(struct secret_pages), MADV_WIPEONFORK) == 0;
    (void)madvise(pages, sizeof(struct secret_pages), MADV_DONTDUMP);
    return pages;
}

status random_open_source(struct random_source source, struct random **out, error *why)
{
    struct random *made = calloc(1, sizeof *made);
    bool wipes = false;
    struct secret_pages *secret = made == NULL ? NULL : map_secret_pages(&wipes);
    if (secret == NULL) {
        free(made);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    made->source = source;
    made->secret = secret;
    made->wipes = wipes;
    made->owner = getpid();
    made->used = RANDOM_BUFFER_WORDS;
    secret->alive = 1;
    *out = made;
    return DITHER_OK;
}

status random_open(struct random **out, error *why)
{
    struct random_source source;
    TRY(system_source_open(system_entropy, &source, why));
    status result = random_open_source(source, out, why);
    if (result != DITHER_OK)
        source.close(source.state);
    else
        (*out)->is_system = true;
    return result;
}

void random_close(struct random *random)
{
    if (random == NULL)
        return;
    if (random->source.close != NULL)
        random->source.close(random->source.state);
    OPENSSL_cleanse(random->secret, sizeof *random->secret);
    munmap(random->secret, sizeof *random->secret);
    free(random);
}

static bool forked(const struct random *random)
{
    return random->wipes ? random->secret->alive == 0 : random->owner != getpid();
}

/* In a child the source's key is the parent's too: it is thrown away, not continued. */
static status renew_source(struct random *random, error *why)
{
    struct random_source fresh;
    TRY(system_source_open(system_entropy, &fresh, why));
    random->source.close(random->source.state);
    random->source = fresh;
    random->owner = getpid();
    return DITHER_OK;
}

static status refill(struct random *random, bool in_child, error *why)
{
    if (in_child && random->is_system)
        TRY(renew_source(random, why));
    TRY(random->source.refill(random->source.state, (unsigned char *)random->secret->words,
                              sizeof random->secret->words, why));
    random->secret->alive = 1;
    random->used = 0;
    return DITHER_OK;
}

status random_take(struct random *random, size_t count, const uint64_t **words, error *why)
{
    assert(count <= RANDOM_BUFFER_WORDS);
    if (random->failed)
        return fail(why, DITHER_NO_ENTROPY, "this random stream failed before and gives no more bits");
    bool in_child = forked(random);
    if (in_child || random->used + count > RANDOM_BUFFER_WORDS) {
        status result = refill(random, in_child, why);
        if (result != DITHER_OK) {
            random->failed = true;
            return result;
        }
    }
    *words = random->secret->words + random->used;
    random->used += count;
    random->bytes_used += count * sizeof(uint64_t);
    return DITHER_OK;
}

status random_word(struct random *random, uint64_t *word, error *why)
{
    const uint64_t *words = NULL;
    TRY(random_take(random, 1, &words, why));
    *word = *words;
    return DITHER_OK;
}

uint64_t random_bytes_used(const struct random *random)
{
    return random->bytes_used;
}
