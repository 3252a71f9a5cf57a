// The scheduling priority of threads.
#ifndef TAFFRAIL_PRIORITY_H
#define TAFFRAIL_PRIORITY_H

#include <stdint.h>

/// The scheduling parameters of a thread.
struct taffrail_priority {
    uint64_t flags;
    uint64_t slice;
    uint64_t slack;
    uint32_t policy;
    uint32_t priority;
    int32_t nice;
};

/// Makes the calling thread run as soon as it wakes: with the lowest real-time priority if permitted, else with the
/// shortest time slice that an ordinary thread may request, which the kernel prefers to longer ones (Linux 6.12 and
/// later). Threads and programs that it starts do not inherit this. 0, or an errno value, after which nothing has
/// changed.
int taffrail_priority_raise(struct taffrail_priority *_Nonnull before);

/// Restores the scheduling parameters of the calling thread.
void taffrail_priority_restore(const struct taffrail_priority *_Nonnull before);

#endif
