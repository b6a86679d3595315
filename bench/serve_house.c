#include "bench/serve_house.h"

#include "bench/bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void serve_give_up(const char *what, const char *why)
{
    fprintf(stderr, "dither_bench: %s: %s\n", what, why);
    exit(1);
}

/* The program stands beside the folder of this one. */
static void find_program(struct serve_house *house)
{
    char own[4000];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        serve_give_up("serve", "where this program is cannot be told");
    own[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(own, '/');
        if (slash == NULL)
            serve_give_up("serve", "the program is not where it should be");
        *slash = '\0';
    }
    snprintf(house->program, sizeof house->program, "%s/dither", own);
    if (access(house->program, X_OK) != 0)
        serve_give_up(house->program, "is not there: build it first");
}

static FILE *file_in(const struct serve_house *house, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", house->folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        serve_give_up(path, "cannot be written");
    return file;
}

static void write_files(const struct serve_house *house)
{
    FILE *file = file_in(house, "people.csv");
    fputs("id,age,region\n", file);
    for (int i = 0; i < SERVE_PEOPLE; i++)
        fprintf(file, "%d,%d,r%d\n", i, i % 100, i % 4);
    fclose(file);
    file = file_in(house, "policy.yaml");
    fputs("dataset: load\n"
          "tables:\n"
          "  people:\n"
          "    source: people.csv\n"
          "    unit: id\n"
          "    rows_per_unit: 1\n"
          "    columns:\n"
          "      id: {type: integer}\n"
          "      age: {type: integer, range: [0, 120]}\n"
          "      region: {type: text, values: [r0, r1, r2, r3]}\n"
          "budget: {epsilon: 1000000, per_question: 0.1}\n"
          "analysts:\n"
          "  ana: {epsilon: 1000000}\n",
          file);
    fclose(file);
    file = file_in(house, "password");
    fputs("pencil\n", file);
    fclose(file);
}

static void run(const char *command)
{
    if (system(command) != 0)
        serve_give_up(command, "failed");
}

/* A module that the build puts beside this program. A sanitizer's library wants to be the first of all otherwise. */
static void slow_the_disk(const struct serve_house *house)
{
    char module[4200];
    snprintf(module, sizeof module, "%.*s/bench/slow_sync.so",
             (int)(strrchr(house->program, '/') - house->program), house->program);
    if (access(module, R_OK) != 0)
        serve_give_up(module, "is not there: build it first");
    setenv("LD_PRELOAD", module, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
}

static void start(struct serve_house *house, size_t connections, enum serve_disk disk)
{
    int said[2];
    char policy[96], most[24], line[200];
    snprintf(policy, sizeof policy, "%s/policy.yaml", house->folder);
    snprintf(most, sizeof most, "%zu", connections);
    if (pipe(said) != 0)
        serve_give_up("serve", "no pipe can be made");
    house->server = fork();
    if (house->server == 0) {
        dup2(said[1], STDOUT_FILENO);
        close(said[0]);
        close(said[1]);
        if (disk == SERVE_DISK_SLOW)
            slow_the_disk(house);
        /* Done once, under sanitizers: then two curators show as much as many. */
        execl(house->program, house->program, "serve", policy, "--port", "0", "--connections", most,
              bench_is_quick() ? "--workers" : (char *)NULL, "2", (char *)NULL);
        _exit(127);
    }
    close(said[1]);
    FILE *reader = fdopen(said[0], "r");
    while (reader != NULL && house->http_port == 0 && fgets(line, sizeof line, reader) != NULL) {
        (void)sscanf(line, "listening on %*[^,], port %d", &house->port);
        (void)sscanf(line, "HTTP on %*[^,], port %d", &house->http_port);
    }
    if (reader != NULL)
        fclose(reader);
    if (house->port == 0 || house->http_port == 0)
        serve_give_up("dither serve", "did not start");
}

static void read_token(struct serve_house *house)
{
    char path[128];
    snprintf(path, sizeof path, "%s/token", house->folder);
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%127s", house->token) != 1)
        serve_give_up("dither token", "printed none");
    fclose(file);
}

void serve_house_open(struct serve_house *house, size_t connections, enum serve_disk disk)
{
    char command[4400];
    *house = (struct serve_house){.folder = "/tmp/dither-bench-XXXXXX"};
    find_program(house);
    if (mkdtemp(house->folder) == NULL)
        serve_give_up("serve", "no folder can be made");
    write_files(house);
    setenv("XDG_STATE_HOME", house->folder, 1);
    snprintf(command, sizeof command,
             "'%s' user add %s/policy.yaml ana --password-file %s/password > /dev/null", house->program,
             house->folder, house->folder);
    run(command);
    snprintf(command, sizeof command, "'%s' token create %s/policy.yaml ana 2> /dev/null > %s/token",
             house->program, house->folder, house->folder);
    run(command);
    read_token(house);
    start(house, connections, disk);
}

void serve_house_close(struct serve_house *house)
{
    char command[96];
    int outcome = 0;
    kill(house->server, SIGTERM);
    if (waitpid(house->server, &outcome, 0) != house->server || !WIFEXITED(outcome) ||
        WEXITSTATUS(outcome) != 0)
        serve_give_up("dither serve", "did not end well");
    snprintf(command, sizeof command, "rm -rf '%s'", house->folder);
    run(command);
}

static double own_work(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double serve_house_work(const struct serve_house *house)
{
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(house->server, &clock) != 0 || clock_gettime(clock, &used) != 0)
        serve_give_up("dither serve", "does not say how long it has worked");
    return own_work() + (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double serve_house_bytes(const struct serve_house *house)
{
    char path[64], line[200];
    double kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)house->server);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "VmRSS: %lf", &kilobytes);
    if (file != NULL)
        fclose(file);
    if (kilobytes <= 0)
        serve_give_up(path, "does not say how much memory is used");
    return kilobytes * 1024;
}
