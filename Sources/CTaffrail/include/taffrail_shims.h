// C that the core cannot do without: a thread-local pointer, the CRC32C instruction, the system calls
// that glibc does not wrap, and constants that are not importable. Everything is prefixed `taffrail_`.
#ifndef TAFFRAIL_SHIMS_H
#define TAFFRAIL_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/// The scratch of one thread: a log call is assembled here before it is copied into the queue.
typedef struct taffrail_scratch {
    uint8_t *_Nullable base;
    uint32_t capacity;
    uint32_t cursor;
    uint32_t depth;
    /// The kernel's id of the thread; set once `base` is.
    uint32_t thread;
    /// 1 while the thread runs a trace source, which may itself log.
    uint32_t asking;
} taffrail_scratch;

extern __thread taffrail_scratch taffrail_thread_scratch __attribute__((tls_model("initial-exec")));

static inline taffrail_scratch *_Nonnull taffrail_scratch_of_this_thread(void) { return &taffrail_thread_scratch; }

/// Copies a usually short range, without a call for up to 64 bytes.
static inline void taffrail_copy_short(void *_Nonnull to, const void *_Nonnull from, size_t count) {
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    if (count >= 16) {
        if (count > 64) {
            __builtin_memcpy(t, f, count);
            return;
        }
        // Copied from both ends, overlapping in the middle, without a loop.
        __builtin_memcpy(t, f, 16);
        if (count > 32) {
            __builtin_memcpy(t + 16, f + 16, 16);
            __builtin_memcpy(t + count - 32, f + count - 32, 16);
        }
        __builtin_memcpy(t + count - 16, f + count - 16, 16);
    } else if (count >= 8) {
        uint64_t a, b;
        __builtin_memcpy(&a, f, 8);
        __builtin_memcpy(&b, f + count - 8, 8);
        __builtin_memcpy(t, &a, 8);
        __builtin_memcpy(t + count - 8, &b, 8);
    } else if (count >= 4) {
        uint32_t a, b;
        __builtin_memcpy(&a, f, 4);
        __builtin_memcpy(&b, f + count - 4, 4);
        __builtin_memcpy(t, &a, 4);
        __builtin_memcpy(t + count - 4, &b, 4);
    } else {
        for (size_t i = 0; i < count; i++) t[i] = f[i];
    }
}

#if defined(__x86_64__) || defined(__aarch64__)
#define TAFFRAIL_HAS_WHOLE_READS 1

/// Copies 16 bytes of which only the first may belong to an object; the others are on the same page.
///
/// The reads are inline assembly, because a compiler may assume that its reads stay within an object, and
/// AddressSanitizer, which cannot be detected when Swift compiles this header, would end the program. They read words,
/// because a short string has just been stored as two words, and a word that is read again at once should come from a
/// single store.
__attribute__((always_inline)) static inline void taffrail_copy_words(
    void *_Nonnull to, const void *_Nonnull from) {
    uint64_t a, b;
#if defined(__x86_64__)
    __asm__("movq (%2), %0\n\tmovq 8(%2), %1"
            : "=&r"(a), "=r"(b)
            : "r"(from), "m"(*(const uint8_t(*)[16])from));
#else
    __asm__("ldp %0, %1, [%2]" : "=&r"(a), "=r"(b) : "r"(from), "m"(*(const uint8_t(*)[16])from));
#endif
    __builtin_memcpy(to, &a, 8);
    __builtin_memcpy((uint8_t *)to + 8, &b, 8);
}
#endif

/// Like ``taffrail_copy_short``, for strings of unpredictable length: `to` has room for 32 bytes even for a shorter
/// string. Reads beyond its end on the same page, which is readable to its end.
__attribute__((always_inline)) static inline void taffrail_copy_text(
    void *_Nonnull to, const void *_Nonnull from, size_t count) {
#if defined(TAFFRAIL_HAS_WHOLE_READS)
    if (__builtin_expect(count <= 32, 1) && __builtin_expect(((uintptr_t)from & 4095) <= 4096 - 32, 1)) {
        taffrail_copy_words(to, from);
        if (count > 16) taffrail_copy_words((uint8_t *)to + 16, (const uint8_t *)from + 16);
        return;
    }
#endif
    __builtin_memcpy(to, from, count);
}

typedef uint8_t taffrail_16_bytes __attribute__((vector_size(16)));

/// On x86-64 the highest bit of each byte, the last byte's as the highest; elsewhere only whether any of them is set.
static inline int taffrail_highest_bits(taffrail_16_bytes bytes) {
#if defined(__x86_64__)
    return __builtin_ia32_pmovmskb128((__attribute__((vector_size(16))) char)bytes);
#else
    uint64_t words[2];
    __builtin_memcpy(words, &bytes, 16);
    return ((words[0] | words[1]) & 0x8080808080808080) != 0;
#endif
}

/// Bytes whose highest bit is set where one of the two is below 0x20, DEL or not ASCII: such a byte is 0x5F or more
/// after 0x20 is subtracted, modulo 256.
static inline taffrail_16_bytes taffrail_unprintable(taffrail_16_bytes one, taffrail_16_bytes two) {
    taffrail_16_bytes greater = __builtin_elementwise_max(one - 0x20, two - 0x20);
    return __builtin_elementwise_add_sat(greater, (taffrail_16_bytes){} + 0x21);
}

/// Whether one of 32 bytes is below 0x20, DEL or not ASCII.
static inline int taffrail_has_unprintable(const void *_Nonnull bytes) {
    taffrail_16_bytes one, two;
    __builtin_memcpy(&one, bytes, 16);
    __builtin_memcpy(&two, (const uint8_t *)bytes + 16, 16);
    return taffrail_highest_bits(taffrail_unprintable(one, two)) != 0;
}

/// Whether one of 32 bytes is below 0x20, DEL, not ASCII, a double quote or a backslash.
__attribute__((always_inline)) static inline int taffrail_has_unprintable_or_quote(const void *_Nonnull bytes) {
    taffrail_16_bytes one, two;
    __builtin_memcpy(&one, bytes, 16);
    __builtin_memcpy(&two, (const uint8_t *)bytes + 16, 16);
    taffrail_16_bytes quotes = (taffrail_16_bytes)((one == '"') | (two == '"'));
    taffrail_16_bytes backslashes = (taffrail_16_bytes)((one == '\\') | (two == '\\'));
    return taffrail_highest_bits(taffrail_unprintable(one, two) | quotes | backslashes) != 0;
}

/// Whether the text that ends at an address may end in a word `key=value`: if an equals sign or a closing bracket
/// follows its last space, if its last 16 bytes contain none of these, or if it ends in a quote. Reads 16 bytes even of
/// a shorter text.
static inline int taffrail_may_end_in_attribute(const void *_Nonnull end) {
    taffrail_16_bytes text;
    __builtin_memcpy(&text, (const uint8_t *)end - 16, 16);
    // With these bits, an equals sign and the brackets that close lists and maps are the same.
    taffrail_16_bytes signs = (taffrail_16_bytes)((text | 0x60) == '}');
    taffrail_16_bytes spaces = (taffrail_16_bytes)(text == ' ');
#if defined(__x86_64__)
    if (taffrail_highest_bits(signs) >= taffrail_highest_bits(spaces)) return 1;
#else
    if (taffrail_highest_bits(signs) || !taffrail_highest_bits(spaces)) return 1;
#endif
    // Volatile, because the compiler would otherwise extract the byte from the 16, through the stack.
    return ((const volatile uint8_t *)end)[-1] == '"';
}

/// Prefetches the 192 bytes at an address for writing. They need not be mapped.
static inline void taffrail_prefetch(const void *_Nonnull bytes) {
#if defined(__x86_64__)
    // Prefetch for writing. A compiler for generic x86-64 only prefetches for reading; processors that do not support
    // the instruction ignore it.
    __asm__ volatile("prefetchw (%0)\n\tprefetchw 64(%0)\n\tprefetchw 128(%0)" : : "r"(bytes));
#else
    __builtin_prefetch(bytes, 1);
    __builtin_prefetch((const uint8_t *)bytes + 64, 1);
    __builtin_prefetch((const uint8_t *)bytes + 128, 1);
#endif
}

/// The number of bytes after a scratch's capacity: for ``taffrail_copy_text``, and for the tail of most records.
enum { TAFFRAIL_SCRATCH_SLACK = 1024 };

/// Grows this thread's scratch to at least `needed` bytes (freed when the thread ends). 0, or ENOMEM.
int taffrail_scratch_grow(taffrail_scratch *_Nonnull scratch, uint32_t needed);

/// Copies `count` bytes (a multiple of 16) and returns two CRC32C lanes: the low half over the even 8-byte
/// words, the high half over the odd ones; both seeded with `seed`.
uint64_t taffrail_copy_crc32c(void *_Nonnull to, const void *_Nonnull from, size_t count, uint64_t seed);

/// Returns the same two lanes without copying.
uint64_t taffrail_crc32c_lanes(const void *_Nonnull bytes, size_t count, uint64_t seed);

/// Two lanes that continue `lanes`: the result does not depend on how the bytes are divided into multiples of 16.
uint64_t taffrail_crc32c_more(const void *_Nonnull bytes, size_t count, uint64_t lanes);

/// The plain CRC32C (Castagnoli) of some bytes.
uint32_t taffrail_crc32c(const void *_Nonnull bytes, size_t count);

/// FUTEX_WAIT while `*word == expected`; at most `nanoseconds` (negative: no limit). 0, or an errno value.
int taffrail_futex_wait(uint32_t *_Nonnull word, uint32_t expected, int64_t nanoseconds);

/// FUTEX_WAKE of at most `count` waiters.
void taffrail_futex_wake(uint32_t *_Nonnull word, int count);

/// Registers this process for expedited membarriers. 0, or an errno value if the kernel refuses.
int taffrail_membarrier_register(void);

/// A full memory barrier on every running thread of this process.
void taffrail_membarrier(void);

enum {
    TAFFRAIL_F_OFD_GETLK = 36,
    TAFFRAIL_F_OFD_SETLK = 37,
    TAFFRAIL_F_OFD_SETLKW = 38,
    TAFFRAIL_MADV_WIPEONFORK = 18,
    TAFFRAIL_MADV_POPULATE_WRITE = 23,
};

/// An open-file-description lock on a byte range (whole file: start 0, length 0).
/// `command` is one of the TAFFRAIL_F_OFD_ numbers, `exclusive` 0 unlocks. 0, or an errno value.
int taffrail_lock_range(int fd, int command, int exclusive, int64_t start, int64_t length);

/// Whether another open file description holds a lock in the range: 1, 0, or a negative errno value.
int taffrail_is_locked(int fd, int64_t start, int64_t length);

/// An anonymous file in memory, or -1 with errno.
int taffrail_memory_file(void);

/// Birth time in nanoseconds since 1970, 0 if the file system does not record it.
int64_t taffrail_birth_time(int fd);

/// Closes `fd` in every child that `fork` makes, so that no lock outlives its owner in a child. 0, or an errno value.
int taffrail_close_in_child(int fd);

/// A writer works between these calls, and `fork` waits for it to finish: locks that a writer holds inside the C
/// library or the Swift runtime would stay locked forever in the child. A writer that starts waits for the forks under
/// way, and further forks wait until it has started. Each of these waits ends after 500 ms.
void taffrail_writer_enter(void);
void taffrail_writer_leave(void);

/// Closes a descriptor of that list, unless the program has closed it and the number now refers to another file.
void taffrail_close_listed(int fd);

/// The wall clock in nanoseconds since 1970, accurate to 0.1 ms: if the kernel itself uses the processor's time-stamp
/// counter, that counter is read and scaled, and corrected by the kernel's clock every 100 ms. After a suspension
/// during which the counter stopped, it is corrected within 100 ms of running.
static inline int64_t taffrail_wall_nanoseconds(void);

/// Returns the same time from the kernel's clock; also corrects the counter's scale.
int64_t taffrail_wall_nanoseconds_slowly(void);

/// Converts the counter's ticks to time. `version` is odd during an update; `ticks` is how long the anchor is valid.
typedef struct taffrail_clock_anchor {
    uint32_t version;
    uint64_t counter;
    int64_t nanoseconds;
    uint64_t scale;
    uint64_t ticks;
} taffrail_clock_anchor;

extern taffrail_clock_anchor taffrail_clock;

/// The last measurement of the counter: its value, the time since boot, and the scale; zeros before the first.
typedef struct taffrail_clock_measurement {
    uint64_t counter;
    int64_t since_boot;
    uint64_t scale;
} taffrail_clock_measurement;

/// Measures the counter against the time since boot, from the last measurement to this one, and sets the anchor; it is
/// invalid if two consecutive scales differ by more than 0.1 %. Nothing changes before 5 ms have passed. Returns
/// whether a valid anchor was set.
int taffrail_clock_measure(
    taffrail_clock_anchor *_Nonnull anchor, taffrail_clock_measurement *_Nonnull last, uint64_t counter, int64_t wall,
    int64_t since_boot);

static inline int64_t taffrail_wall_nanoseconds(void) {
#if defined(__x86_64__)
    uint32_t version = __atomic_load_n(&taffrail_clock.version, __ATOMIC_ACQUIRE);
    uint64_t counter = __atomic_load_n(&taffrail_clock.counter, __ATOMIC_RELAXED);
    int64_t nanoseconds = __atomic_load_n(&taffrail_clock.nanoseconds, __ATOMIC_RELAXED);
    uint64_t scale = __atomic_load_n(&taffrail_clock.scale, __ATOMIC_RELAXED);
    uint64_t ticks = __atomic_load_n(&taffrail_clock.ticks, __ATOMIC_RELAXED);
    uint64_t passed = __builtin_ia32_rdtsc() - counter;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__builtin_expect(passed < ticks, 1) && __builtin_expect(!(version & 1), 1)
        && __atomic_load_n(&taffrail_clock.version, __ATOMIC_RELAXED) == version)
        return nanoseconds + (int64_t)((passed * scale) >> 24);
#endif
    return taffrail_wall_nanoseconds_slowly();
}

/// The gate that all loggers with one name share: the level below which calls are dropped, one byte that many threads
/// read and few write; the minimum level of the configuration (higher while a backtrace is active); and the logger
/// state.
typedef struct taffrail_gate {
    uint8_t level;
    uint8_t floor;
    void *_Nullable source;
} taffrail_gate;

/// The gate of the shared logger. Open until its level is known.
extern taffrail_gate taffrail_shared_gate;

static inline const taffrail_gate *_Nonnull taffrail_shared_gate_address(void) { return &taffrail_shared_gate; }

static inline uint8_t taffrail_gate_level(const taffrail_gate *_Nonnull gate) {
    return __atomic_load_n(&gate->level, __ATOMIC_RELAXED);
}

/// The logger state; null until the shared logger is used.
static inline void *_Nullable taffrail_gate_source(const taffrail_gate *_Nonnull gate) {
    return __atomic_load_n(&gate->source, __ATOMIC_ACQUIRE);
}

static inline void taffrail_gate_set_source(taffrail_gate *_Nonnull gate, void *_Nonnull source) {
    __atomic_store_n(&gate->source, source, __ATOMIC_RELEASE);
}

static inline void taffrail_gate_set(taffrail_gate *_Nonnull gate, uint8_t level, uint8_t floor) {
    __atomic_store_n(&gate->floor, floor, __ATOMIC_RELAXED);
    __atomic_store_n(&gate->level, level, __ATOMIC_RELAXED);
}

static inline uint8_t taffrail_gate_floor(const taffrail_gate *_Nonnull gate) {
    return __atomic_load_n(&gate->floor, __ATOMIC_RELAXED);
}

/// The state that a call must check besides its arguments, as bits that are never cleared: whether a task of this
/// process has ever bound attributes or a trace, whether a pipeline has ever had a trace source, and whether records
/// were ever captured.
extern uint8_t taffrail_task_context_used;

enum { TAFFRAIL_TASK_CONTEXT = 1, TAFFRAIL_TRACE_SOURCE = 2, TAFFRAIL_CAPTURE = 4 };

static inline int taffrail_task_context_is_used(void) {
    return __atomic_load_n(&taffrail_task_context_used, __ATOMIC_RELAXED);
}

static inline void taffrail_task_context_use(void) {
    if (!(taffrail_task_context_is_used() & TAFFRAIL_TASK_CONTEXT))
        __atomic_fetch_or(&taffrail_task_context_used, TAFFRAIL_TASK_CONTEXT, __ATOMIC_RELAXED);
}

static inline void taffrail_capture_use(void) {
    __atomic_fetch_or(&taffrail_task_context_used, TAFFRAIL_CAPTURE, __ATOMIC_RELAXED);
}

static inline void taffrail_trace_source_use(void) {
    __atomic_fetch_or(&taffrail_task_context_used, TAFFRAIL_TRACE_SOURCE, __ATOMIC_RELAXED);
}

/// With 1, frees this thread's scratch and makes later requests for one fail, because the writer thread does not log. 0
/// reverts that.
void taffrail_scratch_refuse(int refuse);

/// Whether this thread refuses a scratch, because it is a writer.
int taffrail_is_writer_thread(void);

/// Names the calling thread; at most 15 characters.
void taffrail_name_thread(const char *_Nonnull name);

/// Handles SIGTERM or SIGINT if its disposition is the default: the handler records the signal, wakes the writers and
/// returns; the signal is sent again after `limit_ns`, unless the program has died before, and then kills it. If no
/// writer waits, and in a forked child that has not installed the handler itself, the signal kills at once. 1 when the
/// handler was installed; 0 when the program handles or ignores the signal, is PID 1 (which the kernel protects from
/// it), or is already dying of one; or a negative errno value.
int taffrail_signal_take(int signal_number, int64_t limit_ns);

/// Restores the default disposition of a handled signal that has not arrived.
void taffrail_signal_give_back(int signal_number);

/// Registers a word that the handler increments and wakes. 0, or ENOSPC.
int taffrail_signal_add_waiter(uint32_t *_Nonnull word);
void taffrail_signal_remove_waiter(uint32_t *_Nonnull word);

/// Whether a word is still registered.
int taffrail_signal_has_waiters(void);

/// The signal that the handler has recorded, or 0.
int taffrail_signal_pending(void);

/// Restores the default disposition of a signal and sends it to this process, which ends.
__attribute__((noreturn)) void taffrail_signal_die(int signal_number);

#endif
