/* trial_parts.h - what trial.c and trial_compare.c share. */
#ifndef TESTS_SUPPORT_TRIAL_PARTS_H
#define TESTS_SUPPORT_TRIAL_PARTS_H

#include "engine/scratch.h"

extern struct scratch *trial_duckdb;

#endif
