#include "ledger/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static status read_boot(char boot[CLOCK_BOOT_TEXT], error *why)
{
    const char *name = "/proc/sys/kernel/random/boot_id";
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return fail(why, DITHER_IO, "%s cannot be read: %s", name, strerror(errno));
    size_t length = fread(boot, 1, CLOCK_BOOT_TEXT - 1, file);
    fclose(file);
    boot[length] = '\0';
    boot[strspn(boot, "0123456789abcdef-")] = '\0';
    if (boot[0] == '\0')
        return fail(why, DITHER_IO, "%s does not hold a boot's id", name);
    return DITHER_OK;
}

static status system_now(void *state, struct instant *out, error *why)
{
    (void)state;
    struct timespec wall, run;
    struct instant instant = {0};
    if (clock_gettime(CLOCK_REALTIME, &wall) != 0 || clock_gettime(CLOCK_BOOTTIME, &run) != 0)
        return fail(why, DITHER_IO, "the system's clock cannot be read: %s", strerror(errno));
    TRY(read_boot(instant.boot, why));
    instant.wall = wall.tv_sec > 0 ? (uint64_t)wall.tv_sec : 0;
    instant.run = (uint64_t)run.tv_sec * 1000000000 + (uint64_t)run.tv_nsec;
    *out = instant;
    return DITHER_OK;
}

const struct ledger_clock *clock_system(void)
{
    static const struct ledger_clock clock = {.now = system_now};
    return &clock;
}

/* The slot of the instant's boot, or CLOCK_BOOTS_KEPT. */
static size_t find_boot(const struct witness *witness, const struct instant *instant)
{
    size_t slot = 0;
    while (slot < CLOCK_BOOTS_KEPT &&
           (witness->boots[slot].age == 0 || strcmp(witness->boots[slot].boot, instant->boot) != 0))
        slot++;
    return slot;
}

uint64_t witness_preview(const struct witness *witness, const struct instant *instant)
{
    size_t slot = find_boot(witness, instant);
    if (slot == CLOCK_BOOTS_KEPT || instant->run <= witness->boots[slot].run)
        return witness->nanoseconds;
    uint64_t through = witness->boots[slot].nanoseconds + (instant->run - witness->boots[slot].run - 1);
    return through > witness->nanoseconds ? through : witness->nanoseconds;
}

void witness_see(struct witness *witness, const struct instant *instant)
{
    witness->nanoseconds = witness_preview(witness, instant);
    witness->entries++;
    size_t slot = find_boot(witness, instant);
    if (slot == CLOCK_BOOTS_KEPT) { /* a new boot takes the place of the one that was not seen for longest */
        slot = 0;
        for (size_t other = 1; other < CLOCK_BOOTS_KEPT; other++)
            if (witness->boots[other].age < witness->boots[slot].age)
                slot = other;
        snprintf(witness->boots[slot].boot, CLOCK_BOOT_TEXT, "%s", instant->boot);
        witness->boots[slot].run = instant->run;
    } else if (instant->run < witness->boots[slot].run) {
        witness->boots[slot].age = witness->entries;
        return; /* backward: its highest reading stays the mark, with the time witnessed then */
    }
    witness->boots[slot].run = instant->run;
    witness->boots[slot].nanoseconds = witness->nanoseconds;
    witness->boots[slot].age = witness->entries;
}
