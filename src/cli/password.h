/* password.h - a password from where it is not seen: a file, standard input, or the terminal without echo. */
#ifndef CLI_PASSWORD_H
#define CLI_PASSWORD_H

#include "cli/cli.h"
#include "serve/scram.h"

struct password {
    char text[SCRAM_MOST_PASSWORD + 3]; /* with room to see that there is more */
};

/* The first line of the file; "-" is standard input; NULL asks twice on the terminal, or refuses where there is none. */
status password_read(const char *file, struct password *out, error *why) MUST_CHECK;
void password_wipe(struct password *password);

#endif
