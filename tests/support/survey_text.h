/* survey_text.h - survey files in tests: a good one, changed in one place. */
#ifndef TESTS_SUPPORT_SURVEY_TEXT_H
#define TESTS_SUPPORT_SURVEY_TEXT_H

#include "local/survey.h"

/* The text with `old`, which must be there, replaced by `new`, once. Good until the next call. */
const char *survey_text_changed(const char *text, const char *old, const char *new);

/* Reads it as if it were in the file work/NAME.yaml, into an arena that is made for it. */
status survey_text_parse(const char *text, const char *name, struct arena *arena, const struct survey **out,
                         error *why) MUST_CHECK;

/* Fails the test unless the text is refused with a message that holds this one. */
void survey_text_refused(const char *text, const char *name, const char *message);

/* The key of a question of a good text. */
uint64_t survey_text_key(const char *text, size_t question);

#endif
