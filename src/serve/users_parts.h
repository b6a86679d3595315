/* users_parts.h - what users.c and users_file.c share. */
#ifndef SERVE_USERS_PARTS_H
#define SERVE_USERS_PARTS_H

#include "serve/users.h"

status users_allocate(struct users **out, error *why) MUST_CHECK;
status users_add(struct users *users, const struct user *user, error *why) MUST_CHECK;
status users_add_token(struct users *users, const struct token *token, error *why) MUST_CHECK;

#endif
