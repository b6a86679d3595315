/* The stream of secret bits: it is AES-256-CTR of the system's entropy (known answer from OpenSSL itself,
 * asked another way), it erases its key, it starts anew in a child, it asks for fresh entropy, and without
 * entropy it gives nothing. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "random/system_source.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static unsigned char known_entropy[48];
static int entropy_calls, entropy_fails_at;

/* Counts its calls; bytes 0, 1, 2, ... ; fails at the call that the test names. */
static bool counting_entropy(void *bytes, size_t count)
{
    entropy_calls++;
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(i + 7 * (size_t)entropy_calls);
    if (count == sizeof known_entropy)
        memcpy(known_entropy, bytes, count);
    return entropy_calls != entropy_fails_at;
}

static void key_stream(const unsigned char seed[48], unsigned char *out, int count)
{
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int written = 0;
    memset(out, 0, (size_t)count);
    assert_int_equal(EVP_EncryptInit_ex(cipher, EVP_aes_256_ctr(), NULL, seed, seed + 32), 1);
    assert_int_equal(EVP_EncryptUpdate(cipher, out, &written, out, count), 1);
    EVP_CIPHER_CTX_free(cipher);
}

static struct random *open_counting(int fails_at)
{
    struct random_source source;
    struct random *random = NULL;
    error why;
    entropy_calls = 0;
    entropy_fails_at = fails_at;
    assert_int_equal(system_source_open(counting_entropy, &source, &why), DITHER_OK);
    assert_int_equal(random_open_source(source, &random, &why), DITHER_OK);
    return random;
}

static void the_stream_is_aes_in_counter_mode_and_its_tail_is_the_next_key(void **state)
{
    (void)state;
    enum { BYTES = RANDOM_BUFFER_WORDS * 8 };
    static unsigned char expected[BYTES + 48];
    struct random *random = open_counting(0);
    unsigned char seed[48];
    memcpy(seed, known_entropy, sizeof seed);
    for (int refill = 0; refill < 3; refill++) {
        key_stream(seed, expected, BYTES + 48);
        const uint64_t *words = NULL;
        assert_int_equal(random_take(random, RANDOM_BUFFER_WORDS, &words, NULL), DITHER_OK);
        assert_memory_equal(words, expected, BYTES);
        memcpy(seed, expected + BYTES, sizeof seed);
    }
    assert_int_equal(random_bytes_used(random), 3 * BYTES);
    random_close(random);
}

static void fresh_entropy_is_asked_for_after_a_fixed_output(void **state)
{
    (void)state;
    struct random *random = open_counting(0);
    const uint64_t *words = NULL;
    const size_t refills = RANDOM_RESEED_BYTES / (RANDOM_BUFFER_WORDS * 8);
    for (size_t i = 0; i < refills; i++)
        assert_int_equal(random_take(random, RANDOM_BUFFER_WORDS, &words, NULL), DITHER_OK);
    assert_int_equal(entropy_calls, 1);
    assert_int_equal(random_take(random, 1, &words, NULL), DITHER_OK);
    assert_int_equal(entropy_calls, 2);
    random_close(random);
}

static void missing_entropy_at_the_start_is_a_refusal(void **state)
{
    (void)state;
    struct random_source source;
    error why;
    entropy_calls = 0;
    entropy_fails_at = 1;
    assert_int_equal(system_source_open(counting_entropy, &source, &why), DITHER_NO_ENTROPY);
    assert_non_null(strstr(why.message, "no random bits"));
}

static void entropy_that_fails_at_the_nth_read_ends_the_stream_for_good(void **state)
{
    (void)state;
    const size_t refills = RANDOM_RESEED_BYTES / (RANDOM_BUFFER_WORDS * 8);
    for (int nth = 2; nth <= 3; nth++) {
        struct random *random = open_counting(nth);
        const uint64_t *words = NULL;
        error why;
        for (size_t i = 0; i < refills * (size_t)(nth - 1); i++)
            assert_int_equal(random_take(random, RANDOM_BUFFER_WORDS, &words, &why), DITHER_OK);
        const uint64_t *before = words;
        assert_int_equal(random_take(random, 1, &words, &why), DITHER_NO_ENTROPY);
        assert_ptr_equal(words, before); /* the output is untouched */
        assert_int_equal(random_take(random, 1, &words, &why), DITHER_NO_ENTROPY);
        assert_int_equal(entropy_calls, nth);
        random_close(random);
    }
}

/* The first word that a forked child draws. */
static uint64_t word_of_child(struct random *random)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uint64_t word = 0;
        bool good = random_word(random, &word, NULL) == DITHER_OK;
        good = good && write(ends[1], &word, sizeof word) == sizeof word;
        _exit(good ? 0 : 1);
    }
    uint64_t word = 0;
    int how = 0;
    assert_int_equal(read(ends[0], &word, sizeof word), sizeof word);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    close(ends[0]);
    close(ends[1]);
    return word;
}

static void a_child_never_repeats_its_parent(void **state)
{
    (void)state;
    for (int drawn_before = 0; drawn_before < 2; drawn_before++) {
        struct random *random = NULL;
        uint64_t word = 0;
        assert_int_equal(random_open(&random, NULL), DITHER_OK);
        if (drawn_before)
            assert_int_equal(random_word(random, &word, NULL), DITHER_OK);
        uint64_t first = word_of_child(random), second = word_of_child(random);
        assert_int_equal(random_word(random, &word, NULL), DITHER_OK);
        assert_true(first != second);
        assert_true(first != word && second != word);
        random_close(random);
    }
}

static void two_streams_differ(void **state)
{
    (void)state;
    struct random *one = NULL, *other = NULL;
    uint64_t a = 0, b = 0;
    assert_int_equal(random_open(&one, NULL), DITHER_OK);
    assert_int_equal(random_open(&other, NULL), DITHER_OK);
    assert_int_equal(random_word(one, &a, NULL), DITHER_OK);
    assert_int_equal(random_word(other, &b, NULL), DITHER_OK);
    assert_true(a != b);
    random_close(one);
    random_close(other);
    random_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stream_is_aes_in_counter_mode_and_its_tail_is_the_next_key),
        cmocka_unit_test(fresh_entropy_is_asked_for_after_a_fixed_output),
        cmocka_unit_test(missing_entropy_at_the_start_is_a_refusal),
        cmocka_unit_test(entropy_that_fails_at_the_nth_read_ends_the_stream_for_good),
        cmocka_unit_test(a_child_never_repeats_its_parent),
        cmocka_unit_test(two_streams_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
