/* survey_reader.h - what the two files that read a survey share. */
#ifndef LOCAL_SURVEY_READER_H
#define LOCAL_SURVEY_READER_H

#include "local/survey.h"
#include "policy/reader.h"

/* The questions, without their keys. `questions` is a map of `count` members. */
status survey_read_question(const struct policy_reader *reader, const struct yaml_node *node,
                            struct survey_question *out) MUST_CHECK;

/* A name of letters, digits, '-' and '_' that fits. */
bool survey_is_name(const char *text);

/* What client and collector must agree on. */
status survey_make_key(const struct survey *survey, struct survey_question *question, error *why) MUST_CHECK;

#endif
