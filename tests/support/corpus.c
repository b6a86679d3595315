#include "tests/support/corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

static char *read_whole(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *count = fread(bytes, 1, 1 << 20, file);
    assert_true(*count < 1 << 20);
    fclose(file);
    char *exact = malloc(*count > 0 ? *count : 1); /* no room behind it: the sanitizer sees a step too far */
    assert_non_null(exact);
    memcpy(exact, bytes, *count);
    free(bytes);
    return exact;
}

void corpus_walk(const char *folder, size_t least, corpus_replay replay)
{
    const char *source = getenv("SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/base/corpus/%s", source != NULL ? source : ".", folder);
    DIR *directory = opendir(path);
    if (directory == NULL)
        fail_msg("%s is missing", path);
    size_t files = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        bool accept = strncmp(entry->d_name, "accept-", 7) == 0;
        if (!accept && strncmp(entry->d_name, "refuse-", 7) != 0)
            continue;
        char file[4400];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        size_t count = 0;
        char *bytes = read_whole(file, &count);
        replay(entry->d_name, bytes, count, accept);
        free(bytes);
        files++;
    }
    closedir(directory);
    assert_true(files >= least);
}
