/* The attacks, and finding the one that was meant. */
#include <string.h>

#include "attack/attacks.h"
#include "base/nearest.h"

/* clang-format off */
const struct attack *const attack_list[] = {
    &attack_averaging,
    &attack_intersection,
    &attack_tracker,
    &attack_hospital,
    &attack_exponential,
    &attack_linear,
    &attack_census,
    &attack_linkage_ratings,
    &attack_linkage_join,
    &attack_linkage_releases,
    &attack_outliers,
    &attack_membership,
    &attack_groups,
    &attack_floating_point,
    &attack_timing,
};
/* clang-format on */

const size_t attack_count = sizeof attack_list / sizeof attack_list[0];

static const char *attack_name(size_t index, const void *context)
{
    (void)context;
    return index < attack_count ? attack_list[index]->name : NULL;
}

status attack_find(const char *name, const struct attack **out, error *why)
{
    for (size_t i = 0; i < attack_count; i++)
        if (strcmp(attack_list[i]->name, name) == 0) {
            *out = attack_list[i];
            return DITHER_OK;
        }
    const char *nearest = nearest_name(name, attack_name, NULL);
    if (nearest != NULL)
        return fail(why, DITHER_INVALID, "there is no attack \"%.40s\"; did you mean \"%s\"?", name, nearest);
    return fail(why, DITHER_INVALID, "there is no attack \"%.40s\"; `dither attack` lists them", name);
}
