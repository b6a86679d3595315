/* How many questions of a process are at the engine at the same time: eight for each processor, from 4 to 32. There are more
 * curators than that, as most of them wait for the disk; those that do not must not share the engine's memory among ever
 * more, or what needs much of it fails, which stops the analyst. */
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "curator/room.h"

enum { FOR_EACH_PROCESSOR = 8, FEWEST = 4, MOST = 32, LOOK_NANOSECONDS = 50 * 1000 * 1000 };

struct gate {
    sem_t places;
};

static unsigned places(void)
{
    long wanted = sysconf(_SC_NPROCESSORS_ONLN) * FOR_EACH_PROCESSOR;
    return wanted < FEWEST ? FEWEST : wanted > MOST ? MOST : (unsigned)wanted;
}

status gate_new(struct gate **out, error *why)
{
    struct gate *gate = memory_allocate(sizeof *gate);
    if (gate == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    sem_init(&gate->places, 0, places());
    *out = gate;
    return DITHER_OK;
}

void gate_free(struct gate *gate)
{
    if (gate == NULL)
        return;
    sem_destroy(&gate->places);
    memory_release(gate, sizeof *gate);
}

/* Who waits looks now and then whether he is still wanted. */
static bool wait_a_little(struct gate *gate)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return sem_timedwait(&gate->places, &until) == 0;
}

status gate_enter(struct curator *curator, error *why)
{
    bool inside = sem_trywait(&curator->gate->places) == 0;
    while (!inside && !atomic_load(&curator->interrupted))
        inside = wait_a_little(curator->gate);
    return inside ? DITHER_OK : fail(why, DITHER_REFUSED, "interrupted");
}

void gate_leave(struct curator *curator)
{
    sem_post(&curator->gate->places);
}
