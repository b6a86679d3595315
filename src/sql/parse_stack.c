/* Work on a large stack.
 *
 * libpg_query makes a pthread key on each thread that first calls it, and gives none back: a thread for each question would
 * use up the 1024 that a process has, and then its memory, and OpenSSL's first use of a key would fail too. So there are
 * a few threads that stay: they are started when they are needed, each with 1 GB of stack, which is only address space until it is
 * used and is given back after a deep text. They take no signals and end with the process. A forked child has none of them,
 * and starts its own.
 *
 * A thread that stays itself may say so, and parses short texts alone: a level of the tree takes two bytes of text and
 * 1.9 KB of stack (parse.c), so that a text of 1 KB needs 1 MB of its 8. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "sql/parse_parts.h"

#define STACK_BYTES ((size_t)1 << 30)
#define KEPT_BYTES  ((size_t)1 << 20) /* of the stack, between two texts */
enum { MOST_THREADS = 16, PAGE_BYTES = 4096, SHORT_BYTES = 1024 };

struct task {
    void *(*work)(void *);
    void *context;
    struct task *next;
    bool done;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t added, finished;
    struct task *first, *last;
    size_t waiting, idle, threads;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .added = PTHREAD_COND_INITIALIZER,
          .finished = PTHREAD_COND_INITIALIZER};

/* ---- Forking ---- */

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&pool.lock);
}

/* Only the thread that forked is here. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.added, NULL);
    pthread_cond_init(&pool.finished, NULL);
    pool.first = pool.last = NULL;
    pool.waiting = pool.idle = pool.threads = 0;
}

static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* ---- The threads ---- */

static void push(struct task *task)
{
    if (pool.last != NULL)
        pool.last->next = task;
    else
        pool.first = task;
    pool.last = task;
    pool.waiting++;
}

static struct task *pop(void)
{
    struct task *task = pool.first;
    pool.first = task->next;
    if (pool.first == NULL)
        pool.last = NULL;
    pool.waiting--;
    return task;
}

static void give_back(char *stack)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0),
              end = (here - KEPT_BYTES) & ~(uintptr_t)(PAGE_BYTES - 1);
    if (end > (uintptr_t)stack)
        (void)madvise(stack, end - (uintptr_t)stack, MADV_DONTNEED);
}

static void *serve(void *stack)
{
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.first == NULL) {
            pool.idle++;
            pthread_cond_wait(&pool.added, &pool.lock);
            pool.idle--;
        }
        struct task *task = pop();
        pthread_mutex_unlock(&pool.lock);
        task->work(task->context);
        give_back(stack);
        pthread_mutex_lock(&pool.lock);
        task->done = true;
        pthread_cond_broadcast(&pool.finished);
    }
    return NULL;
}

static bool create(void *stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_attr_setstack(&attributes, stack, STACK_BYTES) == 0 &&
                   pthread_create(&thread, &attributes, serve, stack) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_detach(thread);
    return started;
}

static bool start_thread(void)
{
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return false;
    bool started = create(stack);
    if (!started)
        munmap(stack, STACK_BYTES);
    return started;
}

/* ---- For callers ---- */

static _Thread_local bool stays; /* this thread, with SQL_PARSER_STACK */

void sql_parse_here(void)
{
    stays = true;
}

static status run_elsewhere(void *(*work)(void *), void *context, error *why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct task task = {.work = work, .context = context};
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&pool.lock);
    if (pool.waiting >= pool.idle && pool.threads < MOST_THREADS && start_thread())
        pool.threads++;
    bool can_run = pool.threads > 0;
    if (can_run) {
        push(&task);
        pthread_cond_signal(&pool.added);
    }
    while (can_run && !task.done)
        pthread_cond_wait(&pool.finished, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    return can_run ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "the parser's thread could not be started");
}

status parse_run_on_large_stack(size_t length, void *(*work)(void *), void *context, error *why)
{
    if (!stays || length > SHORT_BYTES)
        return run_elsewhere(work, context, why);
    work(context);
    return DITHER_OK;
}
