/* local_survey.h - what the commands that work on a survey file share. */
#ifndef CLI_LOCAL_SURVEY_H
#define CLI_LOCAL_SURVEY_H

#include "cli/local.h"
#include "local/survey.h"

/* Enough for a survey file and all that is made of it. */
enum { LOCAL_SURVEY_BYTES = 256 << 20 };

/* The question of this name, or NULL for all; a complaint proposes the nearest. */
status local_pick_question(const struct survey *survey, const char *name, const struct survey_question **out,
                           error *why) MUST_CHECK;

/* The period of --period. */
status local_pick_period(const struct survey *survey, const char *text, int32_t *out, error *why) MUST_CHECK;

#endif
