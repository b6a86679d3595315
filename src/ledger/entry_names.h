/* entry_names.h - the words of an entry's text, in the order of their enumerations. */
#ifndef LEDGER_ENTRY_NAMES_H
#define LEDGER_ENTRY_NAMES_H

enum {
    ENTRY_KINDS = 9,
    ENTRY_CURRENCIES = 3,
    ENTRY_RENEWALS = 6,
    ENTRY_PAYERS = 3,
};

extern const char *const entry_kinds[ENTRY_KINDS];
extern const char *const entry_currencies[ENTRY_CURRENCIES];
extern const char *const entry_renewals[ENTRY_RENEWALS];
extern const char *const entry_payers[ENTRY_PAYERS];

#endif
