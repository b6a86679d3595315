/* public_parts.h - what dither_local_client's words are, for the files behind dither.h. */
#ifndef LOCAL_PUBLIC_PARTS_H
#define LOCAL_PUBLIC_PARTS_H

#include "local/lasting.h"
#include "local/numeric.h"
#include "local/period.h"
#include "local/prefix.h"
#include "local/set.h"

enum client_kind { CLIENT_VALUES, CLIENT_NUMBERS, CLIENT_SETS, CLIENT_TEXTS, CLIENT_AGAIN };

struct client {
    uint64_t mark; /* CLIENT_MARK: somebody called dither_local_init */
    uint64_t key;
    enum period_kind period;
    enum client_kind kind;
    union {
        struct local_oracle oracle;
        struct local_numeric numeric;
        struct local_set set;
        struct prefix prefix;
        struct local_lasting lasting;
    };
};

#define CLIENT_MARK UINT64_C(0x6469746865722032)

/* What a function of dither.h is given beside the answer. */
struct asking {
    const struct client *client;
    enum client_kind kind; /* that the function is about */
    int64_t seconds;
    dither_local_account *account;
    struct random *random;
    unsigned char *report;
};

/* DITHER_INVALID when something is missing, or the question is of another kind. */
status asking_check(const struct asking *asking, error *why) MUST_CHECK;

/* Whether the account lets so much through; `spent` is what it would hold then, rounded up. */
status asking_price(const dither_local_account *account, double epsilon, double *spent,
                    error *why) MUST_CHECK;

/* Writes the report's head, with a retry id of its own. */
status asking_head(const struct asking *asking, error *why) MUST_CHECK;

#endif
