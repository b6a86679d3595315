/* Feeds arbitrary text to the reader of a person's file (fuzz preset): it is refused, or its spending is a number that nothing lowers. */
#include <math.h>
#include <stdlib.h>

#include "local/person_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct person_state state = {0};
    error why;
    arena_init(&state.arena, (size_t)64 << 20);
    if (person_read(&state, (const char *)bytes, count, &why) == DITHER_OK &&
        !(state.account.cap > 0 && isfinite(state.account.cap) && state.account.spent >= 0))
        abort();
    arena_free(&state.arena);
    return 0;
}
