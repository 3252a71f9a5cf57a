#define _GNU_SOURCE
#include "taffrail_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static void fork_prepare(void);

// MARK: Scratch

__thread taffrail_scratch taffrail_thread_scratch __attribute__((tls_model("initial-exec")));

static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;

static void scratch_free(void *base) {
    free(base);
    memset(&taffrail_thread_scratch, 0, sizeof taffrail_thread_scratch);
}

static void scratch_make_key(void) { (void)pthread_key_create(&scratch_key, scratch_free); }

static __thread uint8_t scratch_refused __attribute__((tls_model("initial-exec")));

void taffrail_scratch_refuse(int refuse) {
    free(taffrail_thread_scratch.base);
    memset(&taffrail_thread_scratch, 0, sizeof taffrail_thread_scratch);
    pthread_once(&scratch_once, scratch_make_key);
    (void)pthread_setspecific(scratch_key, NULL);
    scratch_refused = (uint8_t)refuse;
}

int taffrail_scratch_grow(taffrail_scratch *scratch, uint32_t needed) {
    if (needed <= scratch->capacity) return 0;
    if (scratch_refused) return EPERM;
    pthread_once(&scratch_once, scratch_make_key);
    if (!scratch->thread) {
        pthread_once(&fork_once, fork_prepare);
        scratch->thread = (uint32_t)syscall(SYS_gettid);
    }
    uint32_t size = scratch->capacity ? scratch->capacity + TAFFRAIL_SCRATCH_SLACK : 4096;
    while (size - TAFFRAIL_SCRATCH_SLACK < needed) {
        if (size > UINT32_MAX / 2) return ENOMEM;
        size *= 2;
    }
    // Starts at a page boundary: a record that crosses one makes the call a third slower.
    uint8_t *base = aligned_alloc(4096, size);
    if (!base) return ENOMEM;
    if (scratch->base) memcpy(base, scratch->base, scratch->capacity);
    free(scratch->base);
    scratch->base = base;
    scratch->capacity = size - TAFFRAIL_SCRATCH_SLACK;
    (void)pthread_setspecific(scratch_key, base);
    return 0;
}

int taffrail_is_writer_thread(void) { return scratch_refused; }

void taffrail_name_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

// MARK: CRC32C

static uint32_t crc_table[8][256];
static int crc_hardware;

__attribute__((constructor)) static void crc_prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = (c & 1) ? (c >> 1) ^ 0x82F63B78u : c >> 1;
        crc_table[0][i] = c;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int t = 1; t < 8; t++)
            crc_table[t][i] = (crc_table[t - 1][i] >> 8) ^ crc_table[0][crc_table[t - 1][i] & 0xff];
#if defined(__x86_64__)
    __builtin_cpu_init();
    crc_hardware = __builtin_cpu_supports("sse4.2") != 0;
#elif defined(__ARM_FEATURE_CRC32)
    crc_hardware = 1;
#endif
}

static inline uint32_t crc_word_table(uint32_t crc, uint64_t word) {
    word ^= crc;
    uint32_t out = 0;
    for (int t = 0; t < 8; t++) out ^= crc_table[7 - t][(word >> (8 * t)) & 0xff];
    return out;
}

static inline uint64_t load64(const void *p) {
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

// Four steps of 16 bytes in each round: records are short, so the loop's overhead counts.
#define LANES(STEP, COPY)                                      \
    uint32_t even = STEP(0xFFFFFFFFu, seed);                   \
    uint32_t odd = STEP(0xFFFFFFFFu, ~seed);                   \
    ROUNDS(STEP, COPY)

#define MORE(STEP)                                             \
    uint32_t even = (uint32_t)lanes;                           \
    uint32_t odd = (uint32_t)(lanes >> 32);                    \
    ROUNDS(STEP, COPY_NONE)

#define ROUNDS(STEP, COPY)                                     \
    const uint8_t *source = from;                              \
    size_t i = 0;                                              \
    for (; i + 64 <= count; i += 64) {                         \
        COPY(i, 64);                                           \
        even = STEP(even, load64(source + i));                 \
        odd = STEP(odd, load64(source + i + 8));               \
        even = STEP(even, load64(source + i + 16));            \
        odd = STEP(odd, load64(source + i + 24));              \
        even = STEP(even, load64(source + i + 32));            \
        odd = STEP(odd, load64(source + i + 40));              \
        even = STEP(even, load64(source + i + 48));            \
        odd = STEP(odd, load64(source + i + 56));              \
    }                                                          \
    for (; i < count; i += 16) {                               \
        COPY(i, 16);                                           \
        even = STEP(even, load64(source + i));                 \
        odd = STEP(odd, load64(source + i + 8));               \
    }                                                          \
    return (uint64_t)odd << 32 | even

#define COPY_BOTH(at, size) memcpy((uint8_t *)to + (at), source + (at), size)
#define COPY_NONE(at, size) (void)0

#if defined(__x86_64__)
#define HARDWARE __attribute__((target("sse4.2")))
#define STEP_HARDWARE(crc, word) ((uint32_t)__builtin_ia32_crc32di(crc, word))
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define HARDWARE
#define STEP_HARDWARE(crc, word) __crc32cd(crc, word)
#endif

#ifdef HARDWARE
HARDWARE static uint64_t copy_hardware(void *to, const void *from, size_t count, uint64_t seed) {
    LANES(STEP_HARDWARE, COPY_BOTH);
}
HARDWARE static uint64_t lanes_hardware(const void *from, size_t count, uint64_t seed) {
    LANES(STEP_HARDWARE, COPY_NONE);
}
HARDWARE static uint64_t more_hardware(const void *from, size_t count, uint64_t lanes) { MORE(STEP_HARDWARE); }
#endif

// Separate functions, so that the choice between them and the instruction needs no registers.
__attribute__((noinline)) static uint64_t copy_table(void *to, const void *from, size_t count, uint64_t seed) {
    LANES(crc_word_table, COPY_BOTH);
}
__attribute__((noinline)) static uint64_t lanes_table(const void *from, size_t count, uint64_t seed) {
    LANES(crc_word_table, COPY_NONE);
}
__attribute__((noinline)) static uint64_t more_table(const void *from, size_t count, uint64_t lanes) {
    MORE(crc_word_table);
}

uint64_t taffrail_copy_crc32c(void *to, const void *from, size_t count, uint64_t seed) {
#ifdef HARDWARE
    if (crc_hardware) return copy_hardware(to, from, count, seed);
#endif
    return copy_table(to, from, count, seed);
}

uint64_t taffrail_crc32c_lanes(const void *from, size_t count, uint64_t seed) {
#ifdef HARDWARE
    if (crc_hardware) return lanes_hardware(from, count, seed);
#endif
    return lanes_table(from, count, seed);
}

uint64_t taffrail_crc32c_more(const void *from, size_t count, uint64_t lanes) {
#ifdef HARDWARE
    if (crc_hardware) return more_hardware(from, count, lanes);
#endif
    return more_table(from, count, lanes);
}

uint32_t taffrail_crc32c(const void *bytes, size_t count) {
    const uint8_t *p = bytes;
    uint32_t crc = 0xFFFFFFFFu;
    for (; count >= 8; p += 8, count -= 8) crc = crc_word_table(crc, load64(p));
    for (; count > 0; p++, count--) crc = (crc >> 8) ^ crc_table[0][(crc ^ *p) & 0xff];
    return ~crc;
}

// MARK: Waiting

int taffrail_futex_wait(uint32_t *word, uint32_t expected, int64_t nanoseconds) {
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    struct timespec *timeout = nanoseconds < 0 ? NULL : &limit;
    long result = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout, NULL, 0);
    return result == 0 ? 0 : errno;
}

void taffrail_futex_wake(uint32_t *word, int count) {
    int saved = errno;
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
    errno = saved;
}

int taffrail_membarrier_register(void) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 ? 0 : errno;
}

void taffrail_membarrier(void) {
    atomic_thread_fence(memory_order_seq_cst);
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

// MARK: Files

int taffrail_lock_range(int fd, int command, int exclusive, int64_t start, int64_t length) {
    struct flock lock = {
        .l_type = exclusive ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length, .l_pid = 0};
    int result;
    do result = fcntl(fd, command, &lock);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int taffrail_is_locked(int fd, int64_t start, int64_t length) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length, .l_pid = 0};
    if (fcntl(fd, TAFFRAIL_F_OFD_GETLK, &lock) != 0) return -errno;
    return lock.l_type != F_UNLCK;
}

int taffrail_memory_file(void) { return memfd_create("taffrail", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int64_t taffrail_birth_time(int fd) {
    struct statx info;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &info) != 0 || !(info.stx_mask & STATX_BTIME)) return 0;
    return info.stx_btime.tv_sec * 1000000000 + info.stx_btime.tv_nsec;
}

// MARK: Fork

enum { FORK_BLOCK = 256, GATE_WAIT_NS = 500000000 };
// Descriptors that a child must not inherit. The program may close them independently and open its own files under
// their numbers, so each is identified by its file as well.
struct fork_entry {
    _Atomic int number;  // descriptor + 1; 0 = free, -1 = being filled
    dev_t device;
    ino_t inode;
};
// Blocks are added, and never freed: a fork may read them at any time, and cannot allocate.
static struct fork_block {
    struct fork_entry entries[FORK_BLOCK];
    struct fork_block *_Atomic next;
} fork_list;
static void signal_forget(void);
static void clock_forget(void);
static int64_t clock_read(clockid_t clock);

static uint32_t fork_gate;        // how many forks are under way: meanwhile writers wait
static uint32_t writers_active;   // how many writers work: meanwhile forks under way wait
static uint32_t writers_waiting;  // how many writers wait for forks: meanwhile further forks do not begin

static int64_t gate_deadline(void) { return clock_read(CLOCK_MONOTONIC) + GATE_WAIT_NS; }

// Waits until a count is 0, and returns whether it is; the thread that makes it 0 wakes those that wait. The time limit
// is for sinks that write for longer, and for waits that depend on themselves: a fork in a handler of another fork, in
// a signal handler that interrupts a fork or a writer that enters, or with a lock that the writer needs.
static int gate_await_zero(uint32_t *count, int64_t deadline) {
    for (;;) {
        uint32_t value = __atomic_load_n(count, __ATOMIC_SEQ_CST);
        if (value == 0) return 1;
        int64_t left = deadline - clock_read(CLOCK_MONOTONIC);
        if (left <= 0) return 0;
        (void)taffrail_futex_wait(count, value, left);
    }
}

// A writer counts itself and then reads the gate; a fork counts itself and then reads the writers. Both orders are
// sequentially consistent, so at least one of the two notices the other.
static int writer_try_enter(void) {
    if (__atomic_load_n(&fork_gate, __ATOMIC_SEQ_CST)) return 0;
    __atomic_fetch_add(&writers_active, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&fork_gate, __ATOMIC_SEQ_CST)) return 1;
    taffrail_writer_leave();
    return 0;
}

void taffrail_writer_enter(void) {
    pthread_once(&fork_once, fork_prepare);
    if (writer_try_enter()) return;
    // Threads that fork by turns may leave no gap between their forks: those that have not begun yet wait for this
    // writer.
    __atomic_fetch_add(&writers_waiting, 1, __ATOMIC_SEQ_CST);
    int64_t deadline = gate_deadline();
    while (!writer_try_enter()) {
        if (gate_await_zero(&fork_gate, deadline)) continue;
        __atomic_fetch_add(&writers_active, 1, __ATOMIC_SEQ_CST);
        break;
    }
    // Only now, so that a fork that begins finds this writer active.
    if (__atomic_fetch_sub(&writers_waiting, 1, __ATOMIC_SEQ_CST) == 1) taffrail_futex_wake(&writers_waiting, INT_MAX);
}

void taffrail_writer_leave(void) {
    __atomic_fetch_sub(&writers_active, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&fork_gate, __ATOMIC_SEQ_CST)) taffrail_futex_wake(&writers_active, INT_MAX);
}

static void fork_before(void) {
    if (scratch_refused) return;  // a sink forks: its writer cannot be waited for
    // Threads may fork at the same time: the C library holds no lock while it calls this.
    (void)gate_await_zero(&writers_waiting, gate_deadline());
    __atomic_fetch_add(&fork_gate, 1, __ATOMIC_SEQ_CST);
    (void)gate_await_zero(&writers_active, gate_deadline());
}

// Also called if `fork` fails.
static void fork_in_parent(void) {
    if (scratch_refused) return;
    if (__atomic_fetch_sub(&fork_gate, 1, __ATOMIC_SEQ_CST) == 1) taffrail_futex_wake(&fork_gate, INT_MAX);
}

static int is_listed_file(int fd, const struct fork_entry *entry) {
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_dev == entry->device && info.st_ino == entry->inode;
}

static void fork_in_child(void) {
    __atomic_store_n(&fork_gate, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&writers_active, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&writers_waiting, 0, __ATOMIC_SEQ_CST);
    if (taffrail_thread_scratch.thread) taffrail_thread_scratch.thread = (uint32_t)syscall(SYS_gettid);
    for (struct fork_block *block = &fork_list; block; block = atomic_load(&block->next)) {
        for (int i = 0; i < FORK_BLOCK; i++) {
            int fd = atomic_exchange(&block->entries[i].number, 0) - 1;
            if (fd >= 0 && is_listed_file(fd, &block->entries[i])) (void)close(fd);
        }
    }
    signal_forget();
    clock_forget();
}

static void fork_prepare(void) { (void)pthread_atfork(fork_before, fork_in_parent, fork_in_child); }

int taffrail_close_in_child(int fd) {
    pthread_once(&fork_once, fork_prepare);
    struct stat info;
    if (fstat(fd, &info) != 0) return errno;
    for (struct fork_block *block = &fork_list;;) {
        for (int i = 0; i < FORK_BLOCK; i++) {
            struct fork_entry *entry = &block->entries[i];
            int none = 0;
            if (!atomic_compare_exchange_strong(&entry->number, &none, -1)) continue;
            entry->device = info.st_dev;
            entry->inode = info.st_ino;
            atomic_store(&entry->number, fd + 1);
            return 0;
        }
        struct fork_block *next = atomic_load(&block->next);
        if (!next) {
            struct fork_block *made = calloc(1, sizeof *made);
            if (!made) return ENOMEM;
            if (atomic_compare_exchange_strong(&block->next, &next, made)) {
                next = made;
            } else {
                free(made);
            }
        }
        block = next;
    }
}

void taffrail_close_listed(int fd) {
    for (struct fork_block *block = &fork_list; block; block = atomic_load(&block->next)) {
        for (int i = 0; i < FORK_BLOCK; i++) {
            struct fork_entry *entry = &block->entries[i];
            if (atomic_load(&entry->number) != fd + 1) continue;
            int is_ours = is_listed_file(fd, entry);
            atomic_store(&entry->number, 0);
            if (is_ours) (void)close(fd);
            return;
        }
    }
}

// MARK: Clock

taffrail_clock_anchor taffrail_clock;

static int64_t clock_read(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// A scale is measured over at least 5 ms, and is then valid for 100 ms.
static const int64_t clock_shortest_baseline_ns = 5000000;
static const uint64_t clock_good_for_ns = 100000000;

// The last measurement, owned by the thread that has made the anchor's version odd.
static taffrail_clock_measurement clock_last;

int taffrail_clock_measure(taffrail_clock_anchor *anchor, taffrail_clock_measurement *last, uint64_t counter,
                           int64_t wall, int64_t since_boot) {
    int64_t baseline = since_boot - last->since_boot;
    if (last->counter != 0 && counter > last->counter && baseline >= 0 && baseline < clock_shortest_baseline_ns)
        return 0;
    uint64_t ticks = counter - last->counter;
    // A counter that went back restarted while the machine was suspended, and has no scale.
    uint64_t scale = 0;
    if (last->counter != 0 && counter > last->counter && baseline > 0) {
        unsigned __int128 quotient = ((unsigned __int128)(uint64_t)baseline << 24) / ticks;
        if (quotient <= UINT32_MAX) scale = (uint64_t)quotient;
    }
    uint64_t difference = scale > last->scale ? scale - last->scale : last->scale - scale;
    // Two consecutive measurements agree unless one of them spans a suspension in which the counter stopped or
    // restarted: until then the kernel's clock is used.
    int agrees = scale != 0 && difference <= last->scale / 1000;
    last->counter = counter;
    last->since_boot = since_boot;
    last->scale = scale;
    __atomic_store_n(&anchor->counter, counter, __ATOMIC_RELAXED);
    __atomic_store_n(&anchor->nanoseconds, wall, __ATOMIC_RELAXED);
    __atomic_store_n(&anchor->scale, scale, __ATOMIC_RELAXED);
    __atomic_store_n(&anchor->ticks, agrees ? (clock_good_for_ns << 24) / scale : 0, __ATOMIC_RELAXED);
    return agrees;
}

// Called in a forked child, in which no other thread can finish the update.
static void clock_forget(void) {
    if (!(taffrail_clock.version & 1)) return;
    memset(&clock_last, 0, sizeof clock_last);
    taffrail_clock.ticks = 0;
    taffrail_clock.version += 1;
}

#if defined(__x86_64__)
enum { CLOCK_UNKNOWN, CLOCK_COUNTER, CLOCK_KERNEL };
static _Atomic int clock_source;

static int clock_choose(void) {
    char name[16] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t count = read(fd, name, sizeof name - 1);
        close(fd);
        if (count < 0) name[0] = 0;
    }
    return strncmp(name, "tsc\n", 4) == 0 ? CLOCK_COUNTER : CLOCK_KERNEL;
}

// One thread at a time holds the odd version.
static void clock_anchor(uint64_t counter, int64_t wall, int64_t since_boot) {
    uint32_t version = __atomic_load_n(&taffrail_clock.version, __ATOMIC_RELAXED);
    if ((version & 1) || !__atomic_compare_exchange_n(&taffrail_clock.version, &version, version + 1, 0,
                                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    (void)taffrail_clock_measure(&taffrail_clock, &clock_last, counter, wall, since_boot);
    __atomic_store_n(&taffrail_clock.version, version + 2, __ATOMIC_RELEASE);
}

int64_t taffrail_wall_nanoseconds_slowly(void) {
    int source = atomic_load(&clock_source);
    if (source == CLOCK_UNKNOWN) atomic_store(&clock_source, source = clock_choose());
    if (source == CLOCK_KERNEL) return clock_read(CLOCK_REALTIME);
    uint64_t before = __builtin_ia32_rdtsc();
    int64_t wall = clock_read(CLOCK_REALTIME);
    // Also advances while the machine is suspended, like the wall clock.
    int64_t since_boot = clock_read(CLOCK_BOOTTIME);
    uint64_t after = __builtin_ia32_rdtsc();
    // An interruption between the readings would shift the anchor; the next call retries.
    if (after - before < 4000) clock_anchor(before + (after - before) / 2, wall, since_boot);
    return wall;
}
#else
int64_t taffrail_wall_nanoseconds_slowly(void) { return clock_read(CLOCK_REALTIME); }
#endif

// MARK: Gates

taffrail_gate taffrail_shared_gate = {0};
uint8_t taffrail_task_context_used = 0;

// MARK: Signals

enum { SIGNAL_WAITERS = 64 };
static _Atomic(uint32_t *) signal_waiters[SIGNAL_WAITERS];
static _Atomic int signal_remembered;
static _Atomic pid_t signal_owner;  // the process that has taken signals
static timer_t signal_timers[2];
static _Atomic int signal_has_timer[2];
static int64_t signal_limit_ns;

static int signal_index(int signal_number) { return signal_number == SIGTERM ? 0 : 1; }

// SA_RESETHAND has restored the default disposition before this runs: a second signal, from another process or from
// the timer, kills.
static void signal_taken(int signal_number) {
    int saved = errno;
    // Before reading the waiters: an ending writer removes its word and then checks for a signal.
    if (getpid() == atomic_load(&signal_owner)) atomic_store(&signal_remembered, signal_number);
    if (getpid() != atomic_load(&signal_owner) || !taffrail_signal_has_waiters()) {
        // There is nothing to drain in a child created without the fork handlers, or after every pipeline has ended.
        (void)kill(getpid(), signal_number);
        errno = saved;
        return;
    }
    struct itimerspec limit = {.it_value = {signal_limit_ns / 1000000000, signal_limit_ns % 1000000000}};
    (void)timer_settime(signal_timers[signal_index(signal_number)], 0, &limit, NULL);
    for (int i = 0; i < SIGNAL_WAITERS; i++) {
        uint32_t *word = atomic_load(&signal_waiters[i]);
        if (!word) continue;
        __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
        taffrail_futex_wake(word, 1);
    }
    errno = saved;
}

static int signal_is_ours(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == signal_taken;
}

int taffrail_signal_take(int signal_number, int64_t limit_ns) {
    // The kernel ignores signals that would kill the first process of a PID namespace: it continues, as it would
    // without a log.
    if (getpid() == 1) return 0;
    // The process is already about to be killed by the signal.
    if (atomic_load(&signal_remembered)) return 0;
    struct sigaction now;
    if (sigaction(signal_number, NULL, &now) != 0) return -errno;
    if ((now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) return signal_is_ours(&now);
    pthread_once(&fork_once, fork_prepare);
    int index = signal_index(signal_number);
    if (!atomic_load(&signal_has_timer[index])) {
        struct sigevent event;
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_SIGNAL;
        event.sigev_signo = signal_number;
        if (timer_create(CLOCK_MONOTONIC, &event, &signal_timers[index]) != 0) return -errno;
        atomic_store(&signal_has_timer[index], 1);
    }
    signal_limit_ns = limit_ns;
    atomic_store(&signal_owner, getpid());
    struct sigaction ours;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = signal_taken;
    ours.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigemptyset(&ours.sa_mask);
    return sigaction(signal_number, &ours, NULL) == 0 ? 1 : -errno;
}

void taffrail_signal_give_back(int signal_number) {
    struct sigaction now;
    if (sigaction(signal_number, NULL, &now) == 0 && signal_is_ours(&now)) (void)signal(signal_number, SIG_DFL);
}

// Called in a forked child, which has no timers, no writers and no pending signal.
static void signal_forget(void) {
    for (int i = 0; i < SIGNAL_WAITERS; i++) atomic_store(&signal_waiters[i], NULL);
    atomic_store(&signal_remembered, 0);
    for (int i = 0; i < 2; i++) atomic_store(&signal_has_timer[i], 0);
    taffrail_signal_give_back(SIGTERM);
    taffrail_signal_give_back(SIGINT);
}

int taffrail_signal_add_waiter(uint32_t *word) {
    for (int i = 0; i < SIGNAL_WAITERS; i++) {
        uint32_t *none = NULL;
        if (atomic_compare_exchange_strong(&signal_waiters[i], &none, word)) return 0;
    }
    return ENOSPC;
}

void taffrail_signal_remove_waiter(uint32_t *word) {
    for (int i = 0; i < SIGNAL_WAITERS; i++) {
        uint32_t *mine = word;
        if (atomic_compare_exchange_strong(&signal_waiters[i], &mine, NULL)) return;
    }
}

int taffrail_signal_has_waiters(void) {
    for (int i = 0; i < SIGNAL_WAITERS; i++)
        if (atomic_load(&signal_waiters[i])) return 1;
    return 0;
}

int taffrail_signal_pending(void) { return atomic_load(&signal_remembered); }

void taffrail_signal_die(int signal_number) {
    (void)signal(signal_number, SIG_DFL);
    (void)kill(getpid(), signal_number);
    // Another thread handles the signal within its time limit. If all threads block it by now, the process continues
    // without its log.
    struct timespec rest = {signal_limit_ns / 1000000000, signal_limit_ns % 1000000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
    _exit(128 + signal_number);
}
