#include "local/sketch.h"

status sketch_defaults(struct local_oracle *oracle, error *why)
{
    struct local_setting *setting = &oracle->setting;
    if (setting->hashes == 0)
        setting->hashes = SKETCH_HASHES;
    if (setting->width == 0)
        setting->width = SKETCH_WIDTH;
    if (setting->width < 2 || (setting->width & (setting->width - 1)) != 0)
        return fail(why, DITHER_INVALID, "the width of a sketch must be a power of two");
    oracle->cells = (size_t)setting->hashes * setting->width;
    if (oracle->cells > SKETCH_CELLS_LIMIT)
        return fail(why, DITHER_INVALID, "a sketch has at most %d counters", SKETCH_CELLS_LIMIT);
    /* Of the k rows, the share in which two values collide has variance c (1 - c) / k; the estimate divides by 1 - c. */
    double c = hash_collision(setting->width);
    oracle->collision = c / (1 - c) / setting->hashes;
    return DITHER_OK;
}
