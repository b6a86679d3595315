/* `dither serve` under load, over loopback, clients and server on the same machine.
 *
 *     serve.cached.qps      64 connections, the same question over and over: its finished answer is given again
 *     serve.cached.http.qps the same over HTTP
 *     serve.fresh.qps_1     one connection, a question that nobody asked before each time: charge, sync, release, sync
 *     serve.fresh.qps_64    64 connections that do so
 *     serve.fresh.gain      how many times more those 64 get than the one
 *     serve.fresh_slow_disk the same where each sync takes five milliseconds more, and so is the limit
 *     serve.idle.bytes      what a connection that does nothing costs the server
 *
 * Each with .p50 and .p99, the times from question to answer, and .work, the processor time that one question takes of
 * clients and server together: on a machine that has other things to do it says more than the rate. */
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/serve_client.h"
#include "bench/serve_house.h"

enum { MANY = 64, FEW = 8 /* done once */, IDLE = 2000, IDLE_QUICKLY = 50 };

static void same(uint64_t number, char text[256])
{
    (void)number;
    snprintf(text, 256, "SELECT region, count(*) FROM people GROUP BY region");
}

static void fresh(uint64_t number, char text[256])
{
    snprintf(text, 256, "SELECT count(*) FROM people WHERE id < %llu", (unsigned long long)number);
}

static double seconds_of(double seconds)
{
    return bench_is_quick() ? 0.05 : seconds;
}

static void report(const char *name, const struct serve_load *load, double work)
{
    bench_report(name, load->rate, "questions/s");
    bench_report_part(name, "p50", load->p50, "s");
    bench_report_part(name, "p99", load->p99, "s");
    bench_report_part(name, "work", work, "s");
}

/* The first one is drawn; the others get what it got. */
static void repeat(const char *name, const struct serve_house *house, struct serve_clients *one,
                   struct serve_clients *many)
{
    struct serve_load load;
    (void)serve_clients_run(one, same, 0, 0, &load);
    (void)serve_clients_run(one, same, 0, 0, &load);
    const double rows = load.rows;
    (void)serve_clients_run(many, same, 0, seconds_of(0.5), &load);
    double before = serve_house_work(house);
    (void)serve_clients_run(many, same, 0, seconds_of(4), &load);
    if (load.rows != rows * load.answers)
        serve_give_up(name, "an answer is not whole");
    report(name, &load, (serve_house_work(house) - before) / load.answers);
    serve_clients_close(many);
    serve_clients_close(one);
}

static void report_of(const char *name, const char *what, const struct serve_load *load, double work)
{
    char longer[64];
    snprintf(longer, sizeof longer, "%s.%s", name, what);
    report(longer, load, work);
}

static void cached(const char *name, const void *argument)
{
    (void)name, (void)argument;
    struct serve_house house;
    serve_house_open(&house, 2 * MANY, SERVE_DISK_AS_IT_IS);
    repeat("serve.cached.qps", &house, serve_clients_connect(house.port, 1),
           serve_clients_connect(house.port, MANY));
    repeat("serve.cached.http.qps", &house, serve_clients_connect_http(house.http_port, house.token, 1),
           serve_clients_connect_http(house.http_port, house.token, MANY));
    serve_house_close(&house);
}

/* One and many in turn, so that whatever else the machine does is the same for both. */
static void compare(const char *name, const void *argument)
{
    enum { TURNS = 3 };
    struct serve_house house;
    struct serve_load alone[TURNS], together[TURNS];
    double rates[2][TURNS], work[2][TURNS];
    size_t turns = bench_is_quick() ? 1 : TURNS;
    serve_house_open(&house, 2 * MANY, *(const enum serve_disk *)argument);
    struct serve_clients *one = serve_clients_connect(house.port, 1);
    struct serve_clients *many = serve_clients_connect(house.port, bench_is_quick() ? FEW : MANY);
    uint64_t next = serve_clients_run(many, fresh, 1, seconds_of(1), &together[0]); /* everything warms up */
    for (size_t i = 0; i < turns; i++) {
        double begun = serve_house_work(&house);
        next = serve_clients_run(one, fresh, next, seconds_of(2), &alone[i]);
        double half = serve_house_work(&house);
        next = serve_clients_run(many, fresh, next, seconds_of(3), &together[i]);
        work[0][i] = (half - begun) / alone[i].answers;
        work[1][i] = (serve_house_work(&house) - half) / together[i].answers;
        rates[0][i] = alone[i].rate;
        rates[1][i] = together[i].rate;
    }
    double slow = bench_median(rates[0], turns), quick = bench_median(rates[1], turns);
    for (size_t i = 0; i < turns; i++) {
        if (alone[i].rate == slow)
            report_of(name, "qps_1", &alone[i], work[0][i]);
        if (together[i].rate == quick)
            report_of(name, "qps_64", &together[i], work[1][i]);
    }
    bench_report_part(name, "gain", quick / slow, "ratio");
    serve_clients_close(many);
    serve_clients_close(one);
    serve_house_close(&house);
}

static void idle(const char *name, const void *argument)
{
    (void)argument;
    struct serve_house house;
    struct serve_load load;
    struct rlimit limit;
    size_t count = bench_is_quick() ? IDLE_QUICKLY : IDLE;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    serve_house_open(&house, count + MANY, SERVE_DISK_AS_IT_IS);
    struct serve_clients *one = serve_clients_connect(house.port, 1);
    (void)serve_clients_run(one, same, 0, 0, &load);
    double before = serve_house_bytes(&house);
    struct serve_clients *many = serve_clients_connect(house.port, count);
    (void)serve_clients_run(many, same, 0, 0, &load); /* each has asked once */
    bench_report(name, (serve_house_bytes(&house) - before) / (double)count, "bytes");
    serve_clients_close(many);
    serve_clients_close(one);
    serve_house_close(&house);
}

static const struct bench benches[] = {
    {"serve.cached", cached, NULL},
    {"serve.fresh", compare, &(const enum serve_disk){SERVE_DISK_AS_IT_IS}},
    {"serve.fresh_slow_disk", compare, &(const enum serve_disk){SERVE_DISK_SLOW}},
    {"serve.idle.bytes", idle, NULL},
};
const struct bench_group bench_serve = BENCH_GROUP(benches);
