/* floating_point.h - which doubles a textbook Laplace sampler can give. */
#ifndef ATTACK_FLOATING_POINT_H
#define ATTACK_FLOATING_POINT_H

/* How many draws of dice_laplace(scale), added to `center`, give exactly `answer`: 0 if it is impossible, and otherwise in
 * proportion to its probability. The scale is about 1, so that only few draws round to the same number. */
int floating_point_ways(double answer, double center, double scale);

#endif
