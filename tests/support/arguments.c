#include "tests/support/arguments.h"

#include <string.h>

#include "tests/support/test.h"

void arguments_init(struct arguments *arguments, const char *const *texts)
{
    arguments->count = 0;
    for (; *texts != NULL; texts++) {
        assert_true(arguments->count < ARGUMENTS_MOST && strlen(*texts) < ARGUMENTS_BYTES);
        char *copy = arguments->text[arguments->count];
        strcpy(copy, *texts);
        arguments->list[arguments->count++] = copy;
    }
    arguments->list[arguments->count] = NULL;
}
