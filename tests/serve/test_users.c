/* The file of users is read back as it was written, by its owner alone; nobody is found who is not in it; what is
 * wrong in it is named by its line; a change that fails leaves it as it was, allocation by allocation. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "serve/users.h"

static char folder[] = "/tmp/dither-users-XXXXXX";
static char path[64];
static struct random *stream;

static int set_up(void **state)
{
    (void)state;
    error why;
    if (mkdtemp(folder) == NULL || random_open(&stream, &why) != DITHER_OK)
        return -1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    random_close(stream);
    return rmdir(folder);
}

static int fresh(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/x.users", folder);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

struct change {
    const char *name, *password;
    enum serve_role role;
    char token[USERS_TOKEN_TEXT];
};

static status add(struct users *users, void *context, error *why)
{
    struct change *change = context;
    const struct token *token = NULL;
    TRY(users_set(users, change->name, change->role, change->password, stream, why));
    return users_token_create(users, change->name, change->role, stream, change->token, &token, why);
}

static status drop(struct users *users, void *context, error *why)
{
    const struct change *change = context;
    return users_remove(users, change->name) ? DITHER_OK : fail(why, DITHER_INVALID, "nobody");
}

static void users_and_tokens_are_found_again(void **state)
{
    (void)state;
    struct change alice = {.name = "alice", .password = "pencil", .role = ROLE_ANALYST};
    struct change boss = {.name = "b\xc3\xb6ss", .password = "p", .role = ROLE_OWNER};
    struct users *users = NULL;
    struct stat facts;
    error why;
    assert_int_equal(users_edit(path, stream, add, &alice, &why), DITHER_OK);
    assert_int_equal(users_edit(path, stream, add, &boss, &why), DITHER_OK);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    assert_int_equal(users_read(path, &users, &why), DITHER_OK);
    assert_int_equal(users->count, 2);
    assert_int_equal(users_find(users, "b\xc3\xb6ss")->role, ROLE_OWNER);
    assert_null(users_find(users, "Alice"));
    assert_string_equal(users_token_find(users, alice.token)->name, "alice");
    assert_int_equal(users_token_find(users, boss.token)->role, ROLE_OWNER);
    alice.token[20] = alice.token[20] == 'A' ? 'B' : 'A';
    assert_null(users_token_find(users, alice.token));
    assert_null(users_token_find(users, ""));
    /* the verifier is that of the password */
    struct scram_verifier verifier, made;
    bool known = false;
    enum serve_role role = ROLE_NOBODY;
    assert_int_equal(users_verifier(users, "alice", &verifier, &known, &role, &why), DITHER_OK);
    assert_true(known && role == ROLE_ANALYST);
    assert_int_equal(
        scram_verifier_make("pencil", verifier.salt, verifier.salt_size, verifier.iterations, &made, &why),
        DITHER_OK);
    assert_memory_equal(made.stored, verifier.stored, SCRAM_KEY_BYTES);
    assert_int_equal(users_verifier(users, "zoe", &verifier, &known, &role, &why), DITHER_OK);
    assert_false(known);
    assert_int_equal(role, ROLE_NOBODY);
    assert_int_equal(verifier.iterations, made.iterations);
    users_free(users);
    /* who is removed is gone, with his tokens */
    assert_int_equal(users_edit(path, stream, drop, &alice, &why), DITHER_OK);
    assert_int_equal(users_edit(path, stream, drop, &alice, &why), DITHER_INVALID);
    assert_int_equal(users_read(path, &users, &why), DITHER_OK);
    assert_true(users->count == 1 && users->token_count == 1);
    users_free(users);
}

static void neither_password_nor_token_is_in_the_file(void **state)
{
    (void)state;
    struct change alice = {.name = "alice", .password = "horse battery", .role = ROLE_ANALYST};
    char text[4096] = {0};
    error why;
    assert_int_equal(users_edit(path, stream, add, &alice, &why), DITHER_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 100);
    fclose(file);
    assert_non_null(strstr(text, "user alice analyst SCRAM-SHA-256$"));
    assert_null(strstr(text, "horse"));
    assert_null(strstr(text, alice.token));
    assert_null(strstr(text, alice.token + strlen("dither_")));
}

static void write_file(const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

#define SECRET "secret AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
#define KEYS   "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"

static void what_is_wrong_is_named_by_its_line(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no file of users"},
        {"users\n", "line 1: this is no file"},
        {"dither users 1\n", "has no secret"},
        {"dither users 1\n" SECRET SECRET, "line 3: the line is not understood"},
        {"dither users 1\n" SECRET "user alice\n", "line 3: the line is not understood"},
        {"dither users 1\n" SECRET "user alice king SCRAM-SHA-256$4096:AAAA" KEYS,
         "line 3: the user is not well"},
        {"dither users 1\n" SECRET "user alice analyst SCRAM-SHA-256$4096:AAAA\n",
         "line 3: the user is not well"},
        {"dither users 1\n" SECRET "user a analyst SCRAM-SHA-256$4096:AAAA" KEYS
         "user a analyst SCRAM-SHA-256$4096:AAAA" KEYS,
         "line 4: the user is there twice"},
        {"dither users 1\n" SECRET "user a analyst SCRAM-SHA-256$4096:AAAA" KEYS
         "user b analyst SCRAM-SHA-256$8192:AAAA" KEYS,
         "line 4: all verifiers must have the same"},
        {"dither users 1\n" SECRET "token 12345678 a analyst 2026-01-01 xyz\n",
         "line 3: the token is not well"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct users *users = NULL;
        error why = {.message = "accepted"};
        write_file(cases[i].text, 0600);
        assert_int_equal(users_read(path, &users, &why), DITHER_INVALID);
        if (strstr(why.message, cases[i].message) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", why.message, cases[i].message);
    }
}

static void a_file_that_others_may_read_is_refused(void **state)
{
    (void)state;
    struct users *users = NULL;
    error why;
    write_file("dither users 1\n" SECRET, 0600);
    assert_int_equal(users_read(path, &users, &why), DITHER_OK);
    users_free(users);
    write_file("dither users 1\n" SECRET, 0640);
    assert_int_equal(users_read(path, &users, &why), DITHER_REFUSED);
    write_file("dither users 1\n" SECRET, 0602);
    assert_int_equal(users_read(path, &users, &why), DITHER_REFUSED);
}

static void a_change_that_fails_changes_nothing(void **state)
{
    (void)state;
    struct change alice = {.name = "alice", .password = "pencil", .role = ROLE_ANALYST};
    struct change bob = {.name = "bob", .password = "b", .role = ROLE_ANALYST};
    char new[80];
    error why;
    assert_int_equal(users_edit(path, stream, add, &alice, &why), DITHER_OK);
    for (uint64_t n = 1;; n++) {
        struct users *users = NULL;
        memory_fail_at(n);
        status result = users_edit(path, stream, add, &bob, &why);
        bool reached = memory_has_failed();
        memory_fail_at(0);
        assert_int_equal(users_read(path, &users, &why), DITHER_OK);
        assert_non_null(users_find(users, "alice"));
        assert_int_equal(users_find(users, "bob") != NULL, result == DITHER_OK);
        users_free(users);
        if (!reached)
            break;
    }
    /* two writers do not meet */
    snprintf(new, sizeof new, "%s.new", path);
    FILE *file = fopen(new, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(users_edit(path, stream, add, &alice, &why), DITHER_IO);
    assert_non_null(strstr(why.message, "somebody else is writing"));
    assert_int_equal(unlink(new), 0);
}

static void names_are_checked_and_paths_follow_the_policy(void **state)
{
    (void)state;
    char out[USERS_PATH_BYTES];
    error why;
    assert_int_equal(users_check_name("o'brien", &why), DITHER_OK);
    assert_int_equal(users_check_name("", &why), DITHER_INVALID);
    assert_int_equal(users_check_name("a b", &why), DITHER_INVALID);
    assert_int_equal(users_check_name("a\n", &why), DITHER_INVALID);
    assert_int_equal(users_check_name("\xff", &why), DITHER_INVALID);
    assert_int_equal(users_path("d/hospital.yaml", out, &why), DITHER_OK);
    assert_string_equal(out, "d/hospital.users");
    assert_int_equal(users_path("hospital.yml", out, &why), DITHER_OK);
    assert_string_equal(out, "hospital.users");
    assert_int_equal(users_path("policy", out, &why), DITHER_OK);
    assert_string_equal(out, "policy.users");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(users_and_tokens_are_found_again, fresh, remove_file),
        cmocka_unit_test_setup_teardown(neither_password_nor_token_is_in_the_file, fresh, remove_file),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named_by_its_line, fresh, remove_file),
        cmocka_unit_test_setup_teardown(a_file_that_others_may_read_is_refused, fresh, remove_file),
        cmocka_unit_test_setup_teardown(a_change_that_fails_changes_nothing, fresh, remove_file),
        cmocka_unit_test(names_are_checked_and_paths_follow_the_policy),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
