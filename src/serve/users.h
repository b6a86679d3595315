/* users.h - who may come in: a file beside the policy, hospital.yaml -> hospital.users, that its owner alone may read.
 *
 *     dither users 1
 *     secret BASE64                                      for names that are not there (scram.h)
 *     user alice analyst SCRAM-SHA-256$16384:salt$stored:server
 *     token 3f9a0c1e alice analyst 2026-11-16 HASH       SHA-256 of a token of 256 random bits
 *
 * It holds no password and no token. A file that others may read or write is refused. Changes go to a new file,
 * synced and then renamed; the new file also keeps two writers apart. All verifiers have the same number of
 * iterations, or a name that is not there could be told from one that is. */
#ifndef SERVE_USERS_H
#define SERVE_USERS_H

#include "base/arena.h"
#include "ledger/digest.h"
#include "random/random.h"
#include "serve/scram.h"

enum {
    USERS_NAME_BYTES = 63,
    USERS_MOST = 10000, /* users, and tokens */
    USERS_FILE_BYTES = 8 << 20,
    USERS_TOKEN_ID = 9,    /* eight characters and a NUL */
    USERS_TOKEN_TEXT = 51, /* "dither_" and 43 characters of base64url, with a NUL */
    USERS_DATE_TEXT = 11,
    USERS_PATH_BYTES = 4096,
};

/* What somebody may do. Each role may do what those before it may. */
enum serve_role {
    ROLE_NOBODY, /* has not signed in */
    ROLE_ANALYST,
    ROLE_OWNER,
};
const char *serve_role_name(enum serve_role role);

struct user {
    char name[USERS_NAME_BYTES + 1];
    enum serve_role role;
    struct scram_verifier verifier;
};

struct token {
    char id[USERS_TOKEN_ID]; /* the beginning of the hash, for people */
    char name[USERS_NAME_BYTES + 1];
    enum serve_role role;
    char created[USERS_DATE_TEXT];
    struct digest hash;
};

struct users {
    unsigned char secret[SCRAM_KEY_BYTES];
    uint32_t iterations; /* of all verifiers; SCRAM_ITERATIONS where there is none */
    struct user *list;
    size_t count, capacity;
    struct token *tokens;
    size_t token_count, token_capacity;
};

/* The file of a policy. */
status users_path(const char *policy_path, char out[USERS_PATH_BYTES], error *why) MUST_CHECK;

/* Nobody yet, with a fresh secret. */
status users_new(struct random *random, struct users **out, error *why) MUST_CHECK;
/* DITHER_INVALID names the line; DITHER_IO: it cannot be read; DITHER_REFUSED: others may read it. */
status users_read(const char *path, struct users **out, error *why) MUST_CHECK;
void users_free(struct users *users);

/* Reads the file, or begins one, has it changed and writes it, with nobody else in between. Nothing is written unless
 * the change is DITHER_OK. */
typedef status (*users_change)(struct users *users, void *context, error *why);
status users_edit(const char *path, struct random *random, users_change change, void *context,
                  error *why) MUST_CHECK;

/* One to 63 bytes of UTF-8 without blanks and control characters; the message completes "the name ...". */
status users_check_name(const char *name, error *why) MUST_CHECK;

const struct user *users_find(const struct users *users, const char *name);
/* Adds, or gives another password and role. */
status users_set(struct users *users, const char *name, enum serve_role role, const char *password,
                 struct random *random, error *why) MUST_CHECK;
/* With all tokens of the name; false: there is neither user nor token. */
bool users_remove(struct users *users, const char *name);

/* What a name signs in with: its own verifier, or a made-up one that nobody passes. */
status users_verifier(const struct users *users, const char *name, struct scram_verifier *out, bool *known,
                      enum serve_role *role, error *why) MUST_CHECK;

/* A new token, whose text is shown once and kept nowhere. */
status users_token_create(struct users *users, const char *name, enum serve_role role, struct random *random,
                          char text[USERS_TOKEN_TEXT], const struct token **out, error *why) MUST_CHECK;
bool users_token_revoke(struct users *users, const char *id);
/* Whose token it is; NULL: nobody's. */
const struct token *users_token_find(const struct users *users, const char *text);

/* `count` secret bytes. */
status users_random(struct random *random, void *bytes, size_t count, error *why) MUST_CHECK;

#endif
