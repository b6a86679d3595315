/* scram.h - signing in by password without showing it: SCRAM-SHA-256 (RFC 5802, RFC 7677), the server's side, with
 * and without channel binding by the server's certificate (tls-server-end-point, RFC 5929).
 *
 * The server keeps a verifier, not the password:
 *     SaltedPassword = PBKDF2(HMAC-SHA-256, password, salt, iterations)
 *     StoredKey = SHA-256(HMAC(SaltedPassword, "Client Key")),  ServerKey = HMAC(SaltedPassword, "Server Key")
 * in PostgreSQL's text form, SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, so that one can be carried over.
 *
 *     scram_begin(&scram, &setup);
 *     TRY(scram_answer_first(&scram, client_first, size, &out, why));     -> server-first-message
 *     TRY(scram_answer_final(&scram, client_final, size, &out, why));     -> server-final-message: signed in
 *     scram_wipe(&scram);
 *
 * Guarantees: a client that does not know the password cannot tell a wrong name from a wrong password, neither by
 * messages (a name that is not there gets a salt that is always the same, made from a secret of the server, and the
 * same number of iterations) nor by the work that is done (the same, on a made-up verifier). Proofs are compared in
 * constant time. A client that could have bound the channel and was talked out of it is refused, as is one that binds it to
 * another certificate.
 *
 * Passwords are printable ASCII, of which SASLprep (RFC 4013) changes nothing: others are refused when they are set,
 * so that no two programs can normalise them differently. The user name inside SCRAM is not looked at: PostgreSQL's
 * clients leave it empty and name the user at start-up. */
#ifndef SERVE_SCRAM_H
#define SERVE_SCRAM_H

#include "base/buffer.h"

enum {
    SCRAM_KEY_BYTES = 32,
    SCRAM_SALT_BYTES = 16,      /* of a new verifier */
    SCRAM_MOST_SALT_BYTES = 64, /* of any */
    SCRAM_ITERATIONS = 16384,   /* of a new verifier; each sign-in costs the client as many */
    SCRAM_LEAST_ITERATIONS = 4096,
    SCRAM_MOST_ITERATIONS = 10000000,
    SCRAM_NONCE_BYTES = 18,    /* of the server */
    SCRAM_NONCE_TEXT = 40,     /* 24 characters; RFC 7677 has 30 */
    SCRAM_MOST_MESSAGE = 1024, /* of the client, each */
    SCRAM_MOST_PASSWORD = 256,
    SCRAM_VERIFIER_TEXT = 320,
    SCRAM_MOST_BINDING = 64, /* a hash of a certificate: SHA-512 at most */
};

struct scram_verifier {
    uint32_t iterations;
    unsigned char salt[SCRAM_MOST_SALT_BYTES];
    size_t salt_size;
    unsigned char stored[SCRAM_KEY_BYTES], server[SCRAM_KEY_BYTES];
};

/* DITHER_INVALID with the end of a sentence ("must be ...") for a password that is empty, too long or not ASCII. */
status scram_check_password(const char *password, error *why) MUST_CHECK;

/* The verifier of a password that passed the check. `salt` is fresh and random. */
status scram_verifier_make(const char *password, const unsigned char *salt, size_t salt_size,
                           uint32_t iterations, struct scram_verifier *out, error *why) MUST_CHECK;

void scram_verifier_print(const struct scram_verifier *verifier, char text[SCRAM_VERIFIER_TEXT]);
bool scram_verifier_parse(const char *text, struct scram_verifier *out);

/* What stands in for a name that is not there: the same for the same name and secret. */
status scram_verifier_mock(const unsigned char secret[SCRAM_KEY_BYTES], const char *name, uint32_t iterations,
                           struct scram_verifier *out, error *why) MUST_CHECK;

struct scram_setup {
    struct scram_verifier verifier;
    bool known;                                /* false: the verifier is made up, and nobody gets in */
    bool plus;                                 /* the client chose SCRAM-SHA-256-PLUS */
    bool offered;                              /* -PLUS was among what it could choose from */
    unsigned char binding[SCRAM_MOST_BINDING]; /* the hash of the certificate, where plus is offered */
    size_t binding_size;
    char nonce[SCRAM_NONCE_TEXT]; /* base64 of fresh random bytes */
};

struct scram {
    struct scram_setup setup;
    char bare[SCRAM_MOST_MESSAGE];                            /* client-first-message-bare */
    char first[SCRAM_MOST_MESSAGE + 2 * SCRAM_VERIFIER_TEXT]; /* server-first-message */
    char header[8 + SCRAM_MOST_BINDING];                      /* "n,,", "y,," or "p=tls-server-end-point,," */
    size_t nonce_size; /* of client and server together, behind "r=" in `first` */
};

/* Names, for the list that is offered. */
#define SCRAM_PLAIN "SCRAM-SHA-256"
#define SCRAM_PLUS  "SCRAM-SHA-256-PLUS"

void scram_begin(struct scram *scram, const struct scram_setup *setup);
/* DITHER_INVALID: not in form. DITHER_REFUSED: in form, and not to be trusted; the text is for the client. */
status scram_answer_first(struct scram *scram, const void *message, size_t size, struct buffer *out,
                          error *why) MUST_CHECK;
status scram_answer_final(struct scram *scram, const void *message, size_t size, struct buffer *out,
                          error *why) MUST_CHECK;
void scram_wipe(struct scram *scram);

/* The text of a refusal for a wrong name and a wrong password alike. */
#define SCRAM_REFUSED "name or password is wrong"

/* Base64, strictly: no blanks, padding where it belongs. */
enum { SCRAM_BASE64_MOST = 1024 };
void scram_base64_print(const void *bytes, size_t count, char *text); /* (count + 2) / 3 * 4 + 1 */
bool scram_base64_parse(const char *text, size_t length, unsigned char *out, size_t room, size_t *count);

#endif
