/* Who may come in: the lists. users_file.c has the file. */
#include "serve/users.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "serve/users_parts.h"

static const char token_begin[] = "dither_";

const char *serve_role_name(enum serve_role role)
{
    static const char *const names[] = {
        [ROLE_NOBODY] = "nobody", [ROLE_ANALYST] = "analyst", [ROLE_OWNER] = "owner"};
    return names[role];
}

status users_random(struct random *random, void *bytes, size_t count, error *why)
{
    const uint64_t *words = NULL;
    TRY(random_take(random, (count + 7) / 8, &words, why));
    memcpy(bytes, words, count);
    return DITHER_OK;
}

/* ---- The lists ---- */

status users_allocate(struct users **out, error *why)
{
    struct users *users = memory_allocate(sizeof *users);
    if (users == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    users->iterations = SCRAM_ITERATIONS;
    *out = users;
    return DITHER_OK;
}

status users_new(struct random *random, struct users **out, error *why)
{
    struct users *users = NULL;
    TRY(users_allocate(&users, why));
    status result = users_random(random, users->secret, sizeof users->secret, why);
    if (result == DITHER_OK)
        *out = users;
    else
        users_free(users);
    return result;
}

void users_free(struct users *users)
{
    if (users == NULL)
        return;
    memory_release(users->list, users->capacity * sizeof *users->list);
    memory_release(users->tokens, users->token_capacity * sizeof *users->tokens);
    memory_release(users, sizeof *users);
}

/* Room for one more of `size` bytes. */
static status make_room(void **list, size_t count, size_t *capacity, size_t size, error *why)
{
    if (count < *capacity)
        return DITHER_OK;
    if (count >= USERS_MOST)
        return fail(why, DITHER_INVALID, "there are %d already, and no more than that", USERS_MOST);
    size_t more = *capacity > 0 ? 2 * *capacity : 8;
    void *grown = memory_grow(*list, *capacity * size, more * size);
    if (grown == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *list = grown;
    *capacity = more;
    return DITHER_OK;
}

status users_add(struct users *users, const struct user *user, error *why)
{
    void *list = users->list;
    TRY(make_room(&list, users->count, &users->capacity, sizeof *user, why));
    users->list = list;
    users->list[users->count++] = *user;
    return DITHER_OK;
}

status users_add_token(struct users *users, const struct token *token, error *why)
{
    void *list = users->tokens;
    TRY(make_room(&list, users->token_count, &users->token_capacity, sizeof *token, why));
    users->tokens = list;
    users->tokens[users->token_count++] = *token;
    return DITHER_OK;
}

/* ---- Names ---- */

status users_check_name(const char *name, error *why)
{
    size_t length = strlen(name);
    if (length == 0 || length > USERS_NAME_BYTES)
        return fail(why, DITHER_INVALID, "must have 1 to %d bytes", USERS_NAME_BYTES);
    if (!utf8_valid(name, length))
        return fail(why, DITHER_INVALID, "must be UTF-8");
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || name[i] == 0x7f)
            return fail(why, DITHER_INVALID, "must have neither blanks nor control characters");
    return DITHER_OK;
}

static struct user *find(const struct users *users, const char *name)
{
    for (size_t i = 0; i < users->count; i++)
        if (strcmp(users->list[i].name, name) == 0)
            return &users->list[i];
    return NULL;
}

const struct user *users_find(const struct users *users, const char *name)
{
    return find(users, name);
}

/* ---- Passwords ---- */

status users_set(struct users *users, const char *name, enum serve_role role, const char *password,
                 struct random *random, error *why)
{
    struct user user = {.role = role};
    unsigned char salt[SCRAM_SALT_BYTES];
    TRY(users_check_name(name, why));
    TRY(scram_check_password(password, why));
    TRY(users_random(random, salt, sizeof salt, why));
    TRY(scram_verifier_make(password, salt, sizeof salt, users->iterations, &user.verifier, why));
    snprintf(user.name, sizeof user.name, "%s", name);
    struct user *old = find(users, name);
    if (old == NULL)
        return users_add(users, &user, why);
    *old = user;
    return DITHER_OK;
}

bool users_remove(struct users *users, const char *name)
{
    size_t before = users->count + users->token_count, kept = 0;
    for (size_t i = 0; i < users->count; i++)
        if (strcmp(users->list[i].name, name) != 0)
            users->list[kept++] = users->list[i];
    users->count = kept;
    kept = 0;
    for (size_t i = 0; i < users->token_count; i++)
        if (strcmp(users->tokens[i].name, name) != 0)
            users->tokens[kept++] = users->tokens[i];
    users->token_count = kept;
    return users->count + users->token_count < before;
}

/* The made-up verifier is reckoned in either case, so that both take the same time. */
status users_verifier(const struct users *users, const char *name, struct scram_verifier *out, bool *known,
                      enum serve_role *role, error *why)
{
    struct scram_verifier mock;
    TRY(scram_verifier_mock(users->secret, name, users->iterations, &mock, why));
    const struct user *user = users_find(users, name);
    *out = user != NULL ? user->verifier : mock;
    *known = user != NULL;
    *role = user != NULL ? user->role : ROLE_NOBODY;
    return DITHER_OK;
}

/* ---- Tokens ---- */

static status write_token(const unsigned char bytes[SCRAM_KEY_BYTES], char text[USERS_TOKEN_TEXT])
{
    char base64[48];
    scram_base64_print(bytes, SCRAM_KEY_BYTES, base64);
    for (char *at = base64; *at != '\0'; at++)
        *at = *at == '+' ? '-' : *at == '/' ? '_' : *at == '=' ? '\0' : *at;
    snprintf(text, USERS_TOKEN_TEXT, "%s%.43s", token_begin, base64);
    OPENSSL_cleanse(base64, sizeof base64);
    return DITHER_OK;
}

static void write_today(char text[USERS_DATE_TEXT])
{
    struct tm parts = {0};
    time_t now = time(NULL);
    (void)gmtime_r(&now, &parts);
    strftime(text, USERS_DATE_TEXT, "%Y-%m-%d", &parts);
}

status users_token_create(struct users *users, const char *name, enum serve_role role, struct random *random,
                          char text[USERS_TOKEN_TEXT], const struct token **out, error *why)
{
    struct token token = {.role = role};
    unsigned char bytes[SCRAM_KEY_BYTES];
    char hash[DIGEST_TEXT];
    TRY(users_check_name(name, why));
    TRY(users_random(random, bytes, sizeof bytes, why));
    TRY(write_token(bytes, text));
    OPENSSL_cleanse(bytes, sizeof bytes);
    TRY(digest_of(text, strlen(text), &token.hash, why));
    digest_print(&token.hash, hash);
    snprintf(token.id, sizeof token.id, "%.8s", hash);
    snprintf(token.name, sizeof token.name, "%s", name);
    write_today(token.created);
    TRY(users_add_token(users, &token, why));
    *out = &users->tokens[users->token_count - 1];
    return DITHER_OK;
}

bool users_token_revoke(struct users *users, const char *id)
{
    size_t kept = 0, before = users->token_count;
    for (size_t i = 0; i < users->token_count; i++)
        if (strcmp(users->tokens[i].id, id) != 0)
            users->tokens[kept++] = users->tokens[i];
    users->token_count = kept;
    return kept < before;
}

/* All of them are compared, each in constant time. */
const struct token *users_token_find(const struct users *users, const char *text)
{
    const struct token *found = NULL;
    struct digest hash;
    if (strlen(text) >= USERS_TOKEN_TEXT || digest_of(text, strlen(text), &hash, NULL) != DITHER_OK)
        return NULL;
    for (size_t i = 0; i < users->token_count; i++)
        if (CRYPTO_memcmp(users->tokens[i].hash.bytes, hash.bytes, DIGEST_BYTES) == 0)
            found = &users->tokens[i];
    return found;
}
