#define _GNU_SOURCE
#include "taffrail_priority.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/sched/types.h: the first version of struct sched_attr, which glibc does not declare.
struct attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

enum { RESET_ON_FORK = 1, OTHER = 0, ROUND_ROBIN = 2, SHORTEST_SLICE = 100 * 1000 };

static int set(uint32_t policy, uint32_t priority, int32_t nice, uint64_t slice, uint64_t flags) {
    struct attributes wanted = {
        .size = sizeof wanted, .policy = policy, .flags = flags, .nice = nice, .priority = priority, .runtime = slice};
    return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0 ? 0 : errno;
}

int taffrail_priority_raise(struct taffrail_priority *before) {
    struct attributes now;
    memset(&now, 0, sizeof now);
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return errno;
    before->policy = now.policy;
    before->priority = now.priority;
    before->nice = now.nice;
    before->slice = now.policy == OTHER ? now.runtime : 0;
    before->flags = now.flags & RESET_ON_FORK;
    int slack = prctl(PR_GET_TIMERSLACK);
    before->slack = slack > 0 ? (uint64_t)slack : 0;
    // A thread that has another policy keeps it.
    if (now.policy != OTHER) return EBUSY;
    int failure = set(ROUND_ROBIN, 1, now.nice, 0, RESET_ON_FORK);
    if (failure) failure = set(OTHER, 0, now.nice, SHORTEST_SLICE, before->flags | RESET_ON_FORK);
    if (failure == 0) prctl(PR_SET_TIMERSLACK, 1UL);
    return failure;
}

void taffrail_priority_restore(const struct taffrail_priority *before) {
    // An unprivileged thread may not clear the reset-on-fork flag.
    if (set(before->policy, before->priority, before->nice, before->slice, before->flags) != 0)
        set(before->policy, before->priority, before->nice, before->slice, RESET_ON_FORK);
    prctl(PR_SET_TIMERSLACK, (unsigned long)before->slack);
}
