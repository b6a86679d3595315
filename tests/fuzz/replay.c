/* Runs a fuzzer over every file of a folder, without libFuzzer: `fuzz_replay NAME FOLDER`. So the corpora, with what the fuzzers found
 * in them, are part of the ordinary suite, under its sanitizers. The list of fuzzers is made by CMake. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FUZZER(name) int fuzz_##name(const uint8_t *bytes, size_t count);
#include "fuzzers.inc"
#undef FUZZER

static const struct {
    const char *name;
    int (*run)(const uint8_t *bytes, size_t count);
} fuzzers[] = {
#define FUZZER(name) {#name, fuzz_##name},
#include "fuzzers.inc"
#undef FUZZER
};

/* In memory of exactly its size: the sanitizer sees a step too far. */
static int replay(int (*run)(const uint8_t *bytes, size_t count), const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (file == NULL || stat(path, &facts) != 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 1;
    }
    size_t count = (size_t)facts.st_size;
    uint8_t *bytes = malloc(count > 0 ? count : 1);
    int result = bytes == NULL || fread(bytes, 1, count, file) != count;
    fclose(file);
    if (result == 0)
        (void)run(bytes, count);
    free(bytes);
    return result;
}

static int replay_all(int (*run)(const uint8_t *bytes, size_t count), const char *folder)
{
    DIR *directory = opendir(folder);
    int files = 0, failed = 0;
    if (directory == NULL) {
        fprintf(stderr, "%s is missing\n", folder);
        return 1;
    }
    (void)run((const uint8_t *)"", 0);
    for (struct dirent *entry = readdir(directory); entry != NULL && failed == 0;
         entry = readdir(directory)) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        failed = replay(run, path);
        files++;
    }
    closedir(directory);
    printf("%d files\n", files);
    return failed != 0 || files < 5;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof fuzzers / sizeof fuzzers[0]; i++)
        if (strcmp(fuzzers[i].name, argv[1]) == 0)
            return replay_all(fuzzers[i].run, argv[2]);
    fprintf(stderr, "usage: fuzz_replay NAME FOLDER\n");
    return 2;
}
