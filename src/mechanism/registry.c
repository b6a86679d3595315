#include "mechanism/registry.h"

#define ADDRESS(name) &mechanism_##name,

const struct mechanism_kind *const mechanism_kinds[] = {MECHANISMS(ADDRESS)};

const size_t mechanism_kind_count = sizeof mechanism_kinds / sizeof mechanism_kinds[0];
