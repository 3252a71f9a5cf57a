// Ticks for the latency of one call: the time stamp counter where there is one, else the monotonic clock.
#ifndef CBENCH_CLOCK_H
#define CBENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t ticks(void) {
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value)::"memory");
    return value;
#else
    return clock_ns(CLOCK_MONOTONIC);
#endif
}

#endif
