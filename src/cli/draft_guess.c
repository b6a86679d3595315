#include "cli/draft_guess.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { NAME_ROOM = 2 * POLICY_NAME_BYTES };

/* Lower case, without the "_", "-" and blanks between words: PatientID and patient_id are the same. */
static void simplify(const char *name, size_t length, char out[NAME_ROOM])
{
    size_t kept = 0;
    for (size_t i = 0; i < length && kept + 1 < NAME_ROOM; i++)
        if (strchr("_- .", name[i]) == NULL)
            out[kept++] = (char)tolower((unsigned char)name[i]);
    out[kept] = '\0';
}

/* patients -> patient, diaries -> diary: good enough to compare names with. */
static void singular(const char *name, char out[NAME_ROOM])
{
    simplify(name, strlen(name), out);
    size_t length = strlen(out);
    if (strcmp(out, "people") == 0)
        strcpy(out, "person");
    else if (length > 4 && strcmp(out + length - 3, "ies") == 0)
        strcpy(out + length - 3, "y");
    else if (length > 2 && out[length - 1] == 's' && out[length - 2] != 's')
        out[length - 1] = '\0';
}

/* What an id is of: patient_id -> "patient", id -> "". False: it is not called an id. */
static bool id_of(const char *name, char out[NAME_ROOM])
{
    static const char *const endings[] = {"id", "uuid", "key", "number", "no", "nr"};
    simplify(name, strlen(name), out);
    size_t length = strlen(out);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (length < ending || strcmp(out + length - ending, endings[i]) != 0)
            continue;
        /* "paid" ends with id too: a longer word must have a break, or a capital, before the ending */
        size_t at = strlen(name) - ending;
        bool apart = at == 0 || strchr("_- .", name[at - 1]) != NULL ||
                     (isupper((unsigned char)name[at]) && islower((unsigned char)name[at - 1]));
        if (!apart || (at == 0 && strstr(endings[i], "id") == NULL)) /* "number" alone is a quantity */
            continue;
        out[length - ending] = '\0';
        return true;
    }
    return false;
}

bool draft_is_id(const char *name)
{
    char what[NAME_ROOM];
    return id_of(name, what);
}

static bool is_person(const char *what)
{
    static const char *const words[] = {"patient",   "person",   "customer", "client",     "user",
                                        "member",    "employee", "student",  "subject",    "participant",
                                        "household", "citizen",  "resident", "respondent", "account"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(what, words[i]) == 0)
            return true;
    return false;
}

static int find_own_key(const struct draft_table *table)
{
    char table_name[NAME_ROOM], what[NAME_ROOM];
    singular(table->name, table_name);
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].unique)
            return (int)i;
    for (size_t i = 0; i < table->column_count; i++)
        if (id_of(table->columns[i].name, what) && (what[0] == '\0' || strcmp(what, table_name) == 0))
            return (int)i;
    return DRAFT_NONE;
}

/* Whether the column is called as the other table's own key, or after that table. */
static bool points_to(const struct draft_column *column, const struct draft_table *other, int own_key)
{
    char what[NAME_ROOM], table_name[NAME_ROOM];
    if (own_key == DRAFT_NONE || other->columns[own_key].type != column->type || !id_of(column->name, what) ||
        what[0] == '\0')
        return false;
    singular(other->name, table_name);
    return strcasecmp(column->name, other->columns[own_key].name) == 0 || strcmp(what, table_name) == 0;
}

static bool table_is_of_people(const struct draft_table *table)
{
    char name[NAME_ROOM];
    singular(table->name, name);
    return is_person(name);
}

/* Whether the path from `from` upwards meets `target`. */
static bool leads_to(const struct draft_guess *guesses, int from, int target)
{
    while (from != DRAFT_NONE && from != target)
        from = guesses[from].parent;
    return from == target;
}

/* Whether people are at the end of the path from here. */
static bool leads_to_people(const struct draft *draft, const struct draft_guess *guesses, int from)
{
    for (; from != DRAFT_NONE; from = guesses[from].parent)
        if (table_is_of_people(&draft->tables[from]))
            return true;
    return false;
}

/* Tries to hang table `child` below another; with `people` only below tables of people, or those that lead to
 * them. */
static void find_parent(const struct draft *draft, struct draft_guess *guesses, int child, bool people)
{
    const struct draft_table *table = &draft->tables[child];
    struct draft_guess *guess = &guesses[child];
    for (size_t i = 0; i < table->column_count; i++)
        for (size_t other = 0; other < draft->table_count && guess->parent == DRAFT_NONE; other++) {
            int own_key = guesses[other].own_key;
            if ((int)i == guess->own_key || leads_to(guesses, (int)other, child) ||
                !points_to(&table->columns[i], &draft->tables[other], own_key) ||
                (people && !leads_to_people(draft, guesses, (int)other)))
                continue;
            guess->parent = (int)other;
            guess->key = (int)i;
            guess->parent_column = own_key;
        }
}

/* For a table that hangs below none: its own key, or a person's number in it. */
static int find_unit(const struct draft_table *table, const struct draft_guess *guess)
{
    char what[NAME_ROOM];
    if (!table_is_of_people(table))
        for (size_t i = 0; i < table->column_count; i++)
            if (id_of(table->columns[i].name, what) && is_person(what))
                return (int)i;
    return guess->own_key;
}

/* A unit is no real and no boolean. */
static bool can_be_unit(const struct draft_table *table, int column)
{
    return column != DRAFT_NONE && table->columns[column].type != POLICY_REAL &&
           table->columns[column].type != POLICY_BOOLEAN;
}

void draft_guess(const struct draft *draft, struct draft_guess *out)
{
    for (size_t i = 0; i < draft->table_count; i++) {
        int own_key = find_own_key(&draft->tables[i]);
        out[i] =
            (struct draft_guess){.own_key = can_be_unit(&draft->tables[i], own_key) ? own_key : DRAFT_NONE,
                                 .unit = DRAFT_NONE,
                                 .parent = DRAFT_NONE,
                                 .key = DRAFT_NONE,
                                 .parent_column = DRAFT_NONE};
    }
    /* As often as there are tables: a path grows by one step in each round. */
    for (size_t round = 0; round < draft->table_count; round++)
        for (size_t i = 0; i < draft->table_count; i++)
            if (out[i].parent == DRAFT_NONE && !table_is_of_people(&draft->tables[i]))
                find_parent(draft, out, (int)i, true);
    for (size_t i = 0; i < draft->table_count; i++)
        if (out[i].parent == DRAFT_NONE && !table_is_of_people(&draft->tables[i]) &&
            find_unit(&draft->tables[i], &out[i]) == out[i].own_key)
            find_parent(draft, out, (int)i, false);
    for (size_t i = 0; i < draft->table_count; i++) {
        int unit = find_unit(&draft->tables[i], &out[i]);
        if (out[i].parent == DRAFT_NONE && can_be_unit(&draft->tables[i], unit))
            out[i].unit = unit;
    }
}
