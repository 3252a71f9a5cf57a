// How soon the kernel runs a thread that has something to do.
#ifndef TAFFRAIL_PRIORITY_H
#define TAFFRAIL_PRIORITY_H

#include <stdint.h>

/// How a thread was scheduled.
struct taffrail_priority {
    uint64_t flags;
    uint64_t slice;
    uint64_t slack;
    uint32_t policy;
    uint32_t priority;
    int32_t nice;
};

/// Has the calling thread run at once when it wakes: at the lowest real-time priority where that is allowed, else with
/// the shortest slice that an ordinary thread may ask for, which the kernel prefers to longer ones (Linux 6.12 and
/// later). Threads and programs that it starts are not like that. 0, or an errno value; then nothing has changed.
int taffrail_priority_raise(struct taffrail_priority *_Nonnull before);

/// Has the calling thread scheduled as before.
void taffrail_priority_restore(const struct taffrail_priority *_Nonnull before);

#endif
