/* lab.h - a data set of the attack's own making behind Dither, and what an analyst can do there.
 *
 *     TRY(lab_new(&lab, why));
 *     ... write CSV into lab_text(lab); lab_save(lab, "people.csv", why) ...
 *     ... write the policy into lab_text(lab); lab_open(lab, why) ...
 *     TRY(lab_ask(lab, "SELECT count(*) FROM people", "0.1", &answer, why));
 *
 * Files, ledger and all lie in a scratch directory below $TMPDIR, readable by its owner alone, which lab_free
 * removes. The questions go through include/dither.h, by the analyst "eve". */
#ifndef ATTACK_LAB_H
#define ATTACK_LAB_H

#include "base/buffer.h"
#include "base/decimal.h"
#include "base/status.h"

enum { LAB_TEXT_BYTES = 64 << 20 };

struct lab;

status lab_new(struct lab **out, error *why) MUST_CHECK;
/* Closes the data and removes the directory; NULL is fine. */
void lab_free(struct lab *lab);

const char *lab_directory(const struct lab *lab);

/* An empty text to write a file into; the same one each time, so save it before the next. */
struct buffer *lab_text(struct lab *lab);
status lab_save(struct lab *lab, const char *name, error *why) MUST_CHECK;

/* What every policy here ends with: the budget, and eve, who may spend all of it. `extra` are further lines of
 * the budget ("per_question: 1"), or NULL. The text is saved as policy.yaml; and opened: a second time, with a higher
 * version, the ledger goes on where it was. */
status lab_save_policy(struct lab *lab, const char *epsilon, const char *extra, error *why) MUST_CHECK;
status lab_open(struct lab *lab, const char *epsilon, const char *extra, error *why) MUST_CHECK;

/* The same for a policy that was written to its end. */
status lab_open_written(struct lab *lab, error *why) MUST_CHECK;

/* The path of the policy that was saved. */
const char *lab_policy(const struct lab *lab);

/* Asks as eve, spending at most `epsilon`. DITHER_REFUSED when the budget has ended. */
status lab_ask(struct lab *lab, const char *sql, const char *epsilon, dither_answer **out,
               error *why) MUST_CHECK;

/* The same for a question with a single number in its answer. */
status lab_ask_number(struct lab *lab, const char *sql, const char *epsilon, double *out,
                      error *why) MUST_CHECK;

/* The budget divided into equal pieces, rounded down, so that all of them are paid for. Writes 0 for what is no
 * decimal. */
void lab_share(const char *epsilon, uint64_t pieces, char out[DECIMAL_TEXT]);

/* Removes the directories of all labs of this process, for one who is about to end it. */
void lab_remove_all(void);

#endif
