/* Who may come in, on disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/users_parts.h"

enum { WORDS = 6 };

static const char first_line[] = "dither users 1";

status users_path(const char *policy_path, char out[USERS_PATH_BYTES], error *why)
{
    static const char *const endings[] = {".yaml", ".yml"};
    size_t length = strlen(policy_path), cut = length;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(policy_path + length - ending, endings[i]) == 0)
            cut = length - ending;
    }
    if (cut + sizeof ".users.new" > USERS_PATH_BYTES)
        return fail(why, DITHER_INVALID, "the policy's path is too long");
    snprintf(out, USERS_PATH_BYTES, "%.*s.users", (int)cut, policy_path);
    return DITHER_OK;
}

/* ---- Reading ---- */

static bool read_role(const char *word, enum serve_role *out)
{
    for (enum serve_role role = ROLE_ANALYST; role <= ROLE_OWNER; role++)
        if (strcmp(word, serve_role_name(role)) == 0) {
            *out = role;
            return true;
        }
    return false;
}

static status read_user(struct users *users, char *const words[WORDS], error *why)
{
    struct user user = {0};
    if (users_check_name(words[1], NULL) != DITHER_OK || !read_role(words[2], &user.role) ||
        !scram_verifier_parse(words[3], &user.verifier))
        return fail(why, DITHER_INVALID, "the user is not well-formed");
    if (users_find(users, words[1]) != NULL)
        return fail(why, DITHER_INVALID, "the user is there twice");
    if (users->count > 0 && user.verifier.iterations != users->iterations)
        return fail(why, DITHER_INVALID, "all verifiers must have the same number of iterations");
    users->iterations = user.verifier.iterations;
    snprintf(user.name, sizeof user.name, "%s", words[1]);
    return users_add(users, &user, why);
}

static status read_token(struct users *users, char *const words[WORDS], error *why)
{
    struct token token = {0};
    if (strlen(words[1]) != USERS_TOKEN_ID - 1 || users_check_name(words[2], NULL) != DITHER_OK ||
        !read_role(words[3], &token.role) || strlen(words[4]) != USERS_DATE_TEXT - 1 ||
        !digest_parse(words[5], &token.hash))
        return fail(why, DITHER_INVALID, "the token is not well-formed");
    snprintf(token.id, sizeof token.id, "%s", words[1]);
    snprintf(token.name, sizeof token.name, "%s", words[2]);
    snprintf(token.created, sizeof token.created, "%s", words[4]);
    return users_add_token(users, &token, why);
}

/* Words between single blanks; how many, or more than there is room for. */
static size_t split(char *line, char *words[WORDS])
{
    size_t count = 0;
    for (char *rest = NULL, *word = strtok_r(line, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (count == WORDS)
            return WORDS + 1;
        words[count++] = word;
    }
    return count;
}

static status read_line(struct users *users, char *line, bool *secret, error *why)
{
    char *words[WORDS] = {0};
    size_t count = split(line, words), size = 0;
    if (count == 0 || words[0][0] == '#')
        return DITHER_OK;
    if (strcmp(words[0], "user") == 0 && count == 4)
        return read_user(users, words, why);
    if (strcmp(words[0], "token") == 0 && count == 6)
        return read_token(users, words, why);
    if (strcmp(words[0], "secret") == 0 && count == 2 && !*secret &&
        scram_base64_parse(words[1], strlen(words[1]), users->secret, sizeof users->secret, &size) &&
        size == sizeof users->secret) {
        *secret = true;
        return DITHER_OK;
    }
    return fail(why, DITHER_INVALID, "the line is not understood");
}

static status read_lines(struct users *users, char *text, const char *path, error *why)
{
    int number = 0;
    bool secret = false;
    error inner;
    for (char *line = text, *end = NULL; line != NULL; line = end != NULL ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        number++;
        status result = number > 1 ? read_line(users, line, &secret, &inner)
                        : strcmp(line, first_line) == 0
                            ? DITHER_OK
                            : fail(&inner, DITHER_INVALID, "this is no file of users");
        if (result != DITHER_OK)
            return fail(why, result, "%.300s, line %d: %s", path, number, inner.message);
    }
    return secret ? DITHER_OK : fail(why, DITHER_INVALID, "%.300s has no secret", path);
}

static status read_whole(int file, const char *path, struct buffer *text, error *why)
{
    struct stat facts;
    char piece[4096];
    ssize_t count = 0;
    if (fstat(file, &facts) != 0)
        return fail(why, DITHER_IO, "%.300s: %s", path, strerror(errno));
    if ((facts.st_mode & 077) != 0)
        return fail(why, DITHER_REFUSED, "%.300s may be read by others than its owner: chmod 600 %.300s",
                    path, path);
    while ((count = read(file, piece, sizeof piece)) > 0)
        buffer_append(text, piece, (size_t)count);
    if (count < 0)
        return fail(why, DITHER_IO, "%.300s: %s", path, strerror(errno));
    TRY(buffer_check(text, why));
    if (text->length == 0 || strlen(text->data) != text->length)
        return fail(why, DITHER_INVALID, "%.300s is no file of users", path);
    return DITHER_OK;
}

status users_read(const char *path, struct users **out, error *why)
{
    struct users *users = NULL;
    struct buffer text;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(why, DITHER_IO, "%.300s: %s", path, strerror(errno));
    buffer_init(&text, USERS_FILE_BYTES);
    status result = read_whole(file, path, &text, why);
    close(file);
    if (result == DITHER_OK)
        result = users_allocate(&users, why);
    if (result == DITHER_OK)
        result = read_lines(users, text.data, path, why);
    buffer_free(&text);
    if (result == DITHER_OK)
        *out = users;
    else
        users_free(users);
    return result;
}

/* ---- Writing ---- */

static void print(const struct users *users, struct buffer *out)
{
    char text[SCRAM_VERIFIER_TEXT];
    scram_base64_print(users->secret, sizeof users->secret, text);
    buffer_format(out, "%s\nsecret %s\n", first_line, text);
    for (size_t i = 0; i < users->count; i++) {
        scram_verifier_print(&users->list[i].verifier, text);
        buffer_format(out, "user %s %s %s\n", users->list[i].name, serve_role_name(users->list[i].role),
                      text);
    }
    for (size_t i = 0; i < users->token_count; i++) {
        const struct token *token = &users->tokens[i];
        digest_print(&token->hash, text);
        buffer_format(out, "token %s %s %s %s %s\n", token->id, token->name, serve_role_name(token->role),
                      token->created, text);
    }
}

static bool write_whole(int file, const struct buffer *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t count = write(file, text->data + done, text->length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return fsync(file) == 0;
}

/* A rename is on disk when the folder is. */
static void sync_folder(const char *path)
{
    char folder[USERS_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path + 1),
             slash == NULL ? "." : path);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
}

/* The changed lists into the new file, which becomes the file. */
static status replace(const struct users *users, int file, const char *new, const char *path, error *why)
{
    struct buffer text;
    buffer_init(&text, USERS_FILE_BYTES);
    print(users, &text);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK && (!write_whole(file, &text) || rename(new, path) != 0))
        result = fail(why, DITHER_IO, "%.300s: %s", new, strerror(errno));
    buffer_free(&text);
    if (result == DITHER_OK)
        sync_folder(path);
    return result;
}

status users_edit(const char *path, struct random *random, users_change change, void *context, error *why)
{
    char new[USERS_PATH_BYTES + 8];
    struct users *users = NULL;
    snprintf(new, sizeof new, "%s.new", path);
    int file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST)
        return fail(why, DITHER_IO, "somebody else is writing %.300s; if nobody is, remove it", new);
    if (file < 0)
        return fail(why, DITHER_IO, "%.300s: %s", new, strerror(errno));
    bool there = access(path, F_OK) == 0 || errno != ENOENT;
    status result = there ? users_read(path, &users, why) : users_new(random, &users, why);
    if (result == DITHER_OK)
        result = change(users, context, why);
    if (result == DITHER_OK)
        result = replace(users, file, new, path, why);
    if (result != DITHER_OK)
        (void)unlink(new);
    close(file);
    users_free(users);
    return result;
}
