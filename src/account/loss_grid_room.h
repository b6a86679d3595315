/* loss_grid_room.h - shared by the two files that build grids. */
#ifndef ACCOUNT_LOSS_GRID_ROOM_H
#define ACCOUNT_LOSS_GRID_ROOM_H

#include "account/loss_grid.h"

/* An empty grid whose cells cover the range, with a point or two above its upper end. */
status loss_grid_room(struct loss_grid *grid, struct loss_range range, double step, error *why) MUST_CHECK;

/* Leaves out masses too small to matter and empty ends; returns what was left out. */
double loss_grid_trim(struct loss_grid *grid);

#endif
