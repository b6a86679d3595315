/* Feeds arbitrary bytes to the policy's reader (fuzz preset). What it accepts must be a ledger's configuration
 * too. Start from the policies in tests/policy/policies.txt. */
#include <stdlib.h>

#include "policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    const struct policy *policy = NULL;
    struct ledger_config config;
    arena_init(&arena, 2 * POLICY_ARENA_BYTES);
    status result = policy_read_text((const char *)bytes, count, "fuzz.yaml", &arena, &policy, NULL);
    if (result != DITHER_OK && result != DITHER_INVALID)
        abort();
    if (result == DITHER_OK && policy_ledger_config(policy, &arena, &config, NULL) == DITHER_IO)
        abort();
    arena_free(&arena);
    return 0;
}
