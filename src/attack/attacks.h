/* attacks.h - one name for each attack of this room; its file has the same name. */
#ifndef ATTACK_ATTACKS_H
#define ATTACK_ATTACKS_H

#include "attack/attack.h"

extern const struct attack attack_averaging;
extern const struct attack attack_intersection;
extern const struct attack attack_tracker;
extern const struct attack attack_hospital;
extern const struct attack attack_exponential;
extern const struct attack attack_linear;
extern const struct attack attack_census;
extern const struct attack attack_linkage_ratings;
extern const struct attack attack_linkage_join;
extern const struct attack attack_linkage_releases;
extern const struct attack attack_outliers;
extern const struct attack attack_membership;
extern const struct attack attack_groups;
extern const struct attack attack_floating_point;
extern const struct attack attack_timing;

#endif
