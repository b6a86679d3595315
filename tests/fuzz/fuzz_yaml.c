/* Feeds arbitrary bytes to the YAML reader (fuzz preset). Start from tests/base/corpus/yaml. */
#include <stddef.h>
#include <stdint.h>

#include "base/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena;
    arena_init(&arena, 16 << 20);
    const struct yaml_node *root = NULL;
    error why;
    status result = yaml_read((const char *)bytes, count, "fuzz", &arena, &root, &why);
    arena_free(&arena);
    return result == DITHER_OK || result == DITHER_INVALID ? 0 : -1;
}
