// The measuring half of the benchmark, shared by the Swift and the C++ programs, so that every implementation is
// driven by the same threads, clocks and pauses. An implementation is six functions.
#ifndef CBENCH_H
#define CBENCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first id: with seven digits every line is exactly 100 bytes long.
enum { BENCH_FIRST_ID = 1000000, BENCH_LINE_LENGTH = 100, BENCH_USERS = 8, BENCH_BATCH = 2000 };

/// Rotation, the same for all that rotate: 32 MiB, 8 files kept.
enum { BENCH_ROTATE_SIZE = 32 * 1024 * 1024, BENCH_KEEP = 8 };

typedef struct bench_implementation {
    /// The name on the command line.
    const char *name;
    /// Opens the log in a directory that exists and is empty.
    void (*start)(const char *directory);
    /// Logs `count` lines with the ids from `first`.
    void (*log_lines)(int thread, uint64_t first, uint64_t count);
    /// The same with two attributes, or null where the implementation has none.
    void (*log_with_attributes)(int thread, uint64_t first, uint64_t count);
    /// Returns when `bytes` bytes of lines are in the files (written, not synced); the program ends after it.
    void (*finish)(const char *directory, uint64_t bytes);
    /// `count` calls below the threshold, each followed by `bench_barrier`, or null.
    void (*log_disabled)(uint64_t count);
    /// `count` times `bench_barrier` alone, compiled by the same compiler as `log_disabled`, or null.
    void (*loop_empty)(uint64_t count);
} bench_implementation;

/// Runs what the command line says and prints one line of JSON. Returns the program's exit status.
int bench_main(int argc, char **argv, const bench_implementation *implementations, int count);

/// One of the eleven-byte user names, made at run time.
const char *bench_user(int index);

/// Waits until the files of `directory` whose names start with "app" hold `bytes` bytes together.
void bench_await_bytes(const char *directory, uint64_t bytes);

/// Keeps the compiler from merging or removing rounds of a loop.
static inline void bench_barrier(void) { __asm__ volatile("" ::: "memory"); }

/// The bound: lines that exist already, written in blocks of 64 KiB.
extern const bench_implementation bench_write64k;

#ifdef __cplusplus
}
#endif

#endif
