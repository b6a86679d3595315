/* Repeated questions in dither.h: a memory that the app owns, without allocation. It is
 *
 *     bytes 0-7     MEMORY_MARK; 0: nothing is there yet, and whatever follows means nothing
 *     bytes 8-15    a hash of the setting that its memos were drawn for
 *     bytes 16-23   how many memos there are
 *     bytes 24-31   FNV-1a of all that is in use, these eight bytes as 0
 *     then          the identity, and for each memo its key (4 bytes) and itself
 *
 * Numbers are the machine's own: a memory stays on its device. A new identity or memo is drawn behind what is in use, and the head, which is what
 * makes it count, is written when nothing can fail any more: so a failure leaves the memory as it was. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "local/person_file.h"
#include "local/public_parts.h"
#include "local/survey_report.h"

#define MEMORY_MARK UINT64_C(0x646974686572206d)

struct head {
    uint64_t mark, setting, memos, check;
};

enum { KEY_BYTES = 4 };

static size_t slot_bytes(const struct local_lasting *lasting)
{
    return KEY_BYTES + lasting->memo_bytes;
}

static unsigned char *slot_at(const struct local_lasting *lasting, const dither_local_memory *memory,
                              uint64_t slot)
{
    return memory->bytes + sizeof(struct head) + lasting->identity_bytes + slot * slot_bytes(lasting);
}

size_t dither_local_memory_size(const dither_local_client *words, uint32_t values)
{
    const struct client *client = (const struct client *)(const void *)words;
    if (client == NULL || client->mark != CLIENT_MARK || client->kind != CLIENT_AGAIN)
        return 0;
    const struct local_lasting *lasting = &client->lasting;
    size_t slots = values == 0 || values > lasting->keys ? lasting->keys : values, bytes = 0;
    if (__builtin_mul_overflow(slots, slot_bytes(lasting), &bytes) ||
        __builtin_add_overflow(bytes, sizeof(struct head) + lasting->identity_bytes, &bytes))
        return 0;
    return bytes;
}

/* A memo serves the setting that it was drawn for, to the last bit of its epsilons. */
static uint64_t setting_hash(const struct local_lasting *lasting)
{
    const struct local_lasting_setting *setting = &lasting->setting;
    char text[300];
    int length = snprintf(text, sizeof text, "%s %u %a %a %u %u %u %" PRIu64, lasting->kind->name,
                          setting->domain, setting->epsilon, setting->permanent, setting->bits,
                          setting->hashes, setting->width, setting->seed);
    return person_hash(text, (size_t)length);
}

static uint64_t check_of(const struct local_lasting *lasting, const dither_local_memory *memory,
                         const struct head *head)
{
    struct head bare = *head;
    size_t used = lasting->identity_bytes + (size_t)head->memos * slot_bytes(lasting);
    bare.check = person_hash(memory->bytes + sizeof bare, used);
    return person_hash(&bare, sizeof bare);
}

static uint64_t room_of(const struct local_lasting *lasting, const dither_local_memory *memory)
{
    return (memory->size - sizeof(struct head) - lasting->identity_bytes) / slot_bytes(lasting);
}

/* An empty head for a memory in which nothing is yet. */
static status read_head(const struct local_lasting *lasting, const dither_local_memory *memory,
                        struct head *out, error *why)
{
    struct head head;
    if (memory == NULL || memory->bytes == NULL ||
        memory->size < sizeof head + lasting->identity_bytes + slot_bytes(lasting))
        return fail(why, DITHER_INVALID, "a repeated question needs memory: dither_local_memory_size");
    memcpy(&head, memory->bytes, sizeof head);
    if (head.mark == 0 && head.setting == 0 && head.memos == 0 && head.check == 0) {
        *out = (struct head){.setting = setting_hash(lasting)};
        return DITHER_OK;
    }
    if (head.mark == MEMORY_MARK && head.setting != setting_hash(lasting))
        return fail(why, DITHER_INVALID,
                    "the memory belongs to another question or setting: cleared, it is paid for anew");
    if (head.mark != MEMORY_MARK || head.memos > room_of(lasting, memory) ||
        head.check != check_of(lasting, memory, &head) ||
        !lasting->kind->check(lasting, memory->bytes + sizeof head))
        return fail(why, DITHER_INVALID, "the memory is damaged: cleared, it is paid for anew");
    *out = head;
    return DITHER_OK;
}

/* The memo of a key; NULL when there is none. */
static unsigned char *find_memo(const struct local_lasting *lasting, const dither_local_memory *memory,
                                const struct head *head, uint32_t key)
{
    for (uint64_t i = 0; i < head->memos; i++) {
        unsigned char *slot = slot_at(lasting, memory, i);
        if (memcmp(slot, &key, KEY_BYTES) == 0)
            return slot + KEY_BYTES;
    }
    return NULL;
}

/* Draws one behind the others, if the account lets it through; `spent` is what the account holds then. */
static status draw_memo(const struct asking *asking, const dither_local_memory *memory, struct head *head,
                        uint32_t key, unsigned char **memo, double *spent, error *why)
{
    const struct local_lasting *lasting = &asking->client->lasting;
    if (head->memos == room_of(lasting, memory))
        return fail(why, DITHER_REFUSED, "the memory has no room for another value");
    TRY(asking_price(asking->account, local_lasting_cost(lasting), spent, why));
    unsigned char *slot = slot_at(lasting, memory, head->memos);
    TRY(lasting->kind->memorise(lasting, memory->bytes + sizeof *head, key, asking->random, slot + KEY_BYTES,
                                why));
    memcpy(slot, &key, KEY_BYTES);
    *memo = slot + KEY_BYTES;
    head->mark = MEMORY_MARK;
    head->memos++;
    return DITHER_OK;
}

static status report_again(const struct asking *asking, uint32_t value, const dither_local_memory *memory,
                           error *why)
{
    const struct local_lasting *lasting = &asking->client->lasting;
    struct head head = {0};
    double spent = asking->account->spent;
    TRY(read_head(lasting, memory, &head, why));
    unsigned char *identity = memory->bytes + sizeof head;
    if (head.mark == 0)
        TRY(lasting->kind->identify(lasting, asking->random, identity, why));
    uint32_t key = lasting->kind->key(lasting, identity, value);
    unsigned char *memo = find_memo(lasting, memory, &head, key);
    bool fresh = memo == NULL;
    if (fresh)
        TRY(draw_memo(asking, memory, &head, key, &memo, &spent, why));
    TRY(asking_head(asking, why));
    TRY(lasting->kind->report(lasting, identity, memo, asking->random, asking->report + REPORT_HEAD, why));
    if (!fresh)
        return DITHER_OK;
    head.check = check_of(lasting, memory, &head);
    memcpy(memory->bytes, &head, sizeof head);
    asking->account->spent = spent;
    return DITHER_OK;
}

dither_status dither_local_report_again(const dither_local_client *words, uint32_t value, int64_t seconds,
                                        dither_local_account *account, const dither_local_memory *memory,
                                        dither_random *random, unsigned char *report, dither_error *why)
{
    const struct client *client = (const struct client *)(const void *)words;
    const struct asking asking = {client, CLIENT_AGAIN, seconds, account, (struct random *)random, report};
    TRY(asking_check(&asking, why));
    status result =
        value < client->lasting.setting.domain
            ? report_again(&asking, value, memory, why)
            : fail(why, DITHER_INVALID, "a value must be below %u", client->lasting.setting.domain);
    if (result != DITHER_OK)
        explicit_bzero(report, dither_local_report_size(words));
    return result;
}
