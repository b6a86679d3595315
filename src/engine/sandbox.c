#include "engine/sandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1 /* its shadow takes terabytes of addresses; its reports go to stderr */
#else
#define SANITIZED 0
#endif

enum { MOST_DESCRIPTORS = 16 };

static status set_limit(__rlimit_resource_t kind, uint64_t most, error *why)
{
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    if (setrlimit(kind, &limit) != 0)
        return fail(why, DITHER_IO, "a limit of the process cannot be set: %s", strerror(errno));
    return DITHER_OK;
}

status sandbox_limit(const struct sandbox_limits *limits, error *why)
{
    TRY(set_limit(RLIMIT_CORE, 0, why));
    if (!SANITIZED)
        TRY(set_limit(RLIMIT_FSIZE, 0, why));
    TRY(set_limit(RLIMIT_NOFILE, MOST_DESCRIPTORS, why));
    if (limits->address_bytes > 0 && !SANITIZED)
        TRY(set_limit(RLIMIT_AS, limits->address_bytes, why));
    if (limits->cpu_seconds > 0)
        TRY(set_limit(RLIMIT_CPU, limits->cpu_seconds, why));
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return fail(why, DITHER_IO, "the process cannot be guarded: %s", strerror(errno));
    return DITHER_OK;
}

/* Found by running the suite's questions under strace, and by reading what the C library falls back to. None of them names a
 * file, another process or a descriptor that is not ours. */
static const int allowed[] = {
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(membarrier),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/* Nothing here ever calls these. */
static const int deadly[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(clone),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setresuid),
    SCMP_SYS(setresgid),
    SCMP_SYS(capset),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(memfd_create),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(kexec_load),
};

static int add_lists(scmp_filter_ctx filter)
{
    int result = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0] && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0] && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0);
    /* The C library takes ENOSYS as an old kernel, and would go on with clone, whose end is above. */
    return result == 0 ? seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) : result;
}

static int add_descriptors(scmp_filter_ctx filter, const struct sandbox_descriptors *descriptors)
{
    int result = 0;
    for (size_t i = 0; i < descriptors->read_count && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1,
                                  SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)descriptors->read[i]));
    for (size_t i = 0; i < descriptors->write_count && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
                                  SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)descriptors->write[i]));
    if (SANITIZED && result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
                                  SCMP_A0_32(SCMP_CMP_EQ, STDERR_FILENO));
    return result;
}

/* Memory that can be written is never executed; abort() may signal this process, nobody another; limits are read, not set. */
static int add_guarded(scmp_filter_ctx filter)
{
    int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
                                  SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                  SCMP_A3_32(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                  SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                  SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)getpid()));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0_32(SCMP_CMP_EQ, 0),
                                  SCMP_A2_64(SCMP_CMP_EQ, 0));
    return result;
}

status sandbox_enter(const struct sandbox_descriptors *descriptors, error *why)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1); /* threads that run already, too */
    if (result == 0)
        result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0)
        result = add_lists(filter);
    if (result == 0)
        result = add_descriptors(filter, descriptors);
    if (result == 0)
        result = add_guarded(filter);
    if (result == 0)
        result = seccomp_load(filter); /* sets no_new_privs first */
    seccomp_release(filter);
    if (result != 0)
        return fail(why, DITHER_IO, "this system does not let a process shut itself in (seccomp): %s",
                    strerror(-result));
    return DITHER_OK;
}
