/* `dither local client --mechanism`: values in, reports out, a line each; of a person with an account, if one is named. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/local_device.h"
#include "local/report_text.h"

struct client {
    struct local_device device;
    struct local_asking asking;
    unsigned char *report;
    struct buffer text;
};

/* Messages name the line, never the value, which is somebody's. */
static status complain(uint64_t line, status result, const error *inner, error *why)
{
    if (result == DITHER_INVALID)
        return fail(why, result, "value %llu %.200s", (unsigned long long)line, inner->message);
    return fail(why, result, "%.400s", inner->message);
}

/* One question: one report. */
static status report_plain(struct client *client, const char *value, error *why)
{
    TRY(local_device_randomise(&client->device, value, &client->asking, client->report, why));
    report_write(&client->text, client->report, client->device.report_bytes);
    return DITHER_OK;
}

/* Several: answers between commas, of which those that were drawn are reported, as ATTRIBUTE:REPORT between commas. */
static status report_several(struct client *client, char *answers, error *why)
{
    const struct local_several *several = &client->device.several;
    uint32_t chosen[LOCAL_ATTRIBUTES_LIMIT], count = 0, next = 0;
    TRY(local_several_draw(several, client->asking.random, chosen, why));
    for (char *rest = answers; rest != NULL; count++) {
        char *answer = strsep(&rest, ",");
        if (count >= several->attributes)
            return fail(why, DITHER_INVALID, "has more than %u answers", several->attributes);
        bool drawn = next < several->asked && chosen[next] == count;
        TRY(local_device_randomise(&client->device, answer, &client->asking, client->report, why));
        if (!drawn)
            continue; /* it was looked at, so that a mistake shows whatever is drawn */
        buffer_format(&client->text, next == 0 ? "%u:" : ",%u:", count);
        report_write(&client->text, client->report, client->device.report_bytes);
        if (!client->text.failed)
            client->text.length--; /* the line ends once */
        next++;
    }
    if (count != several->attributes)
        return fail(why, DITHER_INVALID, "has fewer than %u answers", several->attributes);
    buffer_byte(&client->text, '\n');
    return DITHER_OK;
}

/* A person has paid before anything leaves; a value that cannot be reported costs nothing. Memos pay for themselves. */
static status report_one(struct client *client, char *value, uint64_t line, error *why)
{
    bool several = client->device.several.attributes > 1;
    error inner;
    size_t before = client->text.length;
    status result = several ? report_several(client, value, &inner) : report_plain(client, value, &inner);
    if (result == DITHER_OK && client->asking.person != NULL && client->device.family != LOCAL_LASTING)
        result = person_spend(client->asking.person, client->device.several.epsilon, &inner);
    if (result != DITHER_OK) {
        client->text.length = before; /* no half a report */
        return complain(line, result, &inner, why);
    }
    return client->text.length < 1 << 20 ? DITHER_OK : cli_write(&client->text, why);
}

static status report_input(struct client *client, error *why)
{
    char *line = NULL;
    size_t capacity = 0;
    status result = DITHER_OK;
    uint64_t number = 0;
    for (ssize_t length; result == DITHER_OK && (length = getline(&line, &capacity, stdin)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        result = report_one(client, line, ++number, why);
    }
    if (result == DITHER_OK && ferror(stdin))
        result = fail(why, DITHER_IO, "cannot read standard input: %s", strerror(errno));
    if (line != NULL)
        explicit_bzero(line, capacity);
    free(line);
    return result;
}

static status report_all(struct client *client, int argc, char **argv, error *why)
{
    if (argc == 1 && strcmp(argv[0], "-") == 0)
        TRY(report_input(client, why));
    else
        for (int i = 0; i < argc; i++)
            TRY(report_one(client, argv[i], (uint64_t)i + 1, why));
    return cli_write(&client->text, why);
}

static status run(struct client *client, const char *person, int argc, char **argv, error *why)
{
    size_t bytes = client->device.report_bytes;
    if (person != NULL)
        TRY(person_open(&client->asking.person, person, why));
    status result = random_open(&client->asking.random, why);
    client->report = memory_allocate(bytes);
    buffer_init(&client->text, ((size_t)4 << 20) + 4 * bytes * client->device.several.asked);
    if (result == DITHER_OK && client->report == NULL)
        result = fail(why, DITHER_NO_MEMORY, "no memory for a report");
    if (result == DITHER_OK)
        result = report_all(client, argc, argv, why);
    if (result != DITHER_OK && person != NULL && client->text.length > 0) {
        error unused; /* what was paid for goes out, whatever came after it */
        (void)!cli_write(&client->text, &unused);
    }
    memory_release(client->report, bytes);
    buffer_free(&client->text);
    random_close(client->asking.random);
    person_close(client->asking.person);
    return result;
}

int local_client_of_mechanism(int argc, char **argv, const struct local_survey *survey,
                              const struct local_person_request *person)
{
    static struct client client;
    error why;
    client = (struct client){.asking = {.name = person->name != NULL ? person->name : survey->mechanism}};
    if (local_device_init(survey, person->path != NULL, &client.device, &why) != DITHER_OK)
        return cli_misused("local client", &why);
    return run(&client, person->path, argc, argv, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
