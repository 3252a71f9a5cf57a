// The modes. Every one of them starts the implementation, works, and prints what it measured as one line of JSON on
// the program's original standard output (an implementation may have taken file descriptor 1 for its log).
#include "cbench.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"

static int result_fd = 1;
static char users[BENCH_USERS][12];

typedef struct {
    const bench_implementation *implementation;
    const char *directory;
    int threads;
    uint64_t lines;
    bool attributes;
} job;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

const char *bench_user(int index) { return users[index & (BENCH_USERS - 1)]; }

static void make_users(void) {
    // The names depend on something that the compiler cannot know, but are the same in every run.
    unsigned seed = getenv("BENCH_SEED") ? (unsigned)atoi(getenv("BENCH_SEED")) : 7;
    for (int i = 0; i < BENCH_USERS; i++) snprintf(users[i], sizeof users[i], "member-%04u", (seed * 977 + i * 131) % 10000);
}

void bench_await_bytes(const char *directory, uint64_t bytes) {
    uint64_t deadline = clock_ns(CLOCK_MONOTONIC) + 120000000000u;
    for (;;) {
        uint64_t found = 0;
        DIR *open = opendir(directory);
        if (!open) fail("%s: %s", directory, strerror(errno));
        for (struct dirent *entry; (entry = readdir(open));) {
            struct stat status;
            if (strncmp(entry->d_name, "app", 3) == 0 && fstatat(dirfd(open), entry->d_name, &status, 0) == 0)
                found += (uint64_t)status.st_size;
        }
        closedir(open);
        if (found >= bytes) return;
        if (clock_ns(CLOCK_MONOTONIC) > deadline)
            fail("gave up waiting: %llu of %llu bytes are there", (unsigned long long)found, (unsigned long long)bytes);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void log_some(const job *job, int thread, uint64_t first, uint64_t count) {
    if (job->attributes)
        job->implementation->log_with_attributes(thread, first, count);
    else
        job->implementation->log_lines(thread, first, count);
}

static void finish(const job *job, uint64_t lines) {
    job->implementation->finish(job->directory, lines * BENCH_LINE_LENGTH);
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int ascending32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// MARK: threads that start together

typedef struct {
    const job *job;
    int thread;
    uint64_t first, count;
    pthread_barrier_t *begin;
    uint32_t *latencies;
    double nanoseconds_per_tick;
} work;

static void *flood_thread(void *context) {
    work *work = context;
    pthread_barrier_wait(work->begin);
    log_some(work->job, work->thread, work->first, work->count);
    return NULL;
}

/// Splits the job's lines over its threads and runs `body` in each of them. Returns the nanoseconds from the common
/// start until the last call had returned, and in `began` the time of the start.
static uint64_t run_threads(const job *job, void *(*body)(void *), uint32_t *latencies, double ns_per_tick, uint64_t *began) {
    pthread_barrier_t begin;
    pthread_t threads[64];
    work works[64];
    pthread_barrier_init(&begin, NULL, (unsigned)job->threads + 1);
    uint64_t share = job->lines / (uint64_t)job->threads;
    for (int i = 0; i < job->threads; i++) {
        works[i] = (work){.job = job, .thread = i, .first = BENCH_FIRST_ID + share * (uint64_t)i, .count = share,
            .begin = &begin, .latencies = latencies ? latencies + share * (uint64_t)i : NULL,
            .nanoseconds_per_tick = ns_per_tick};
        if (pthread_create(&threads[i], NULL, body, &works[i]) != 0) fail("pthread_create");
    }
    *began = clock_ns(CLOCK_MONOTONIC);
    pthread_barrier_wait(&begin);
    for (int i = 0; i < job->threads; i++) pthread_join(threads[i], NULL);
    uint64_t nanoseconds = clock_ns(CLOCK_MONOTONIC) - *began;
    pthread_barrier_destroy(&begin);
    return nanoseconds;
}

// MARK: memory

static long status_kib(const char *key) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0) value = atol(line + strlen(key));
    if (file) fclose(file);
    return value;
}

/// What is resident twice because the same pages of one file are mapped twice, in KiB.
static long mapped_twice_kib(void) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[4096], device[16];
    struct { unsigned long start, end, offset, inode; char device[16]; long rss; } areas[512];
    int count = 0;
    while (file && fgets(line, sizeof line, file)) {
        unsigned long start, end, offset, inode;
        if (sscanf(line, "%lx-%lx %*s %lx %15s %lu", &start, &end, &offset, device, &inode) == 5) {
            if (count == 512) break;
            areas[count].start = start, areas[count].end = end, areas[count].offset = offset;
            areas[count].inode = inode, areas[count].rss = 0;
            snprintf(areas[count].device, sizeof areas[count].device, "%s", device);
            count++;
        } else if (count && strncmp(line, "Rss:", 4) == 0) {
            areas[count - 1].rss = atol(line + 4);
        }
    }
    if (file) fclose(file);
    long twice = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            if (!areas[i].inode || areas[i].inode != areas[j].inode || strcmp(areas[i].device, areas[j].device)) continue;
            unsigned long low = areas[i].offset > areas[j].offset ? areas[i].offset : areas[j].offset;
            unsigned long end_i = areas[i].offset + (areas[i].end - areas[i].start);
            unsigned long end_j = areas[j].offset + (areas[j].end - areas[j].start);
            unsigned long high = end_i < end_j ? end_i : end_j;
            if (high <= low) continue;
            long overlap = (long)((high - low) / 1024);
            long resident = areas[i].rss < areas[j].rss ? areas[i].rss : areas[j].rss;
            twice += overlap < resident ? overlap : resident;
            break;
        }
    return twice;
}

// MARK: modes

/// End to end: from the first call until every line is in the files.
static void flood(const job *job) {
    uint64_t began;
    double cpu = cpu_seconds();
    uint64_t callers = run_threads(job, flood_thread, NULL, 0, &began);
    long twice = mapped_twice_kib();
    finish(job, job->lines);
    double seconds = 1e-9 * (double)(clock_ns(CLOCK_MONOTONIC) - began);
    dprintf(result_fd, "{\"seconds\": %.6f, \"callers_seconds\": %.6f, \"cpu_seconds\": %.6f, \"lines\": %llu, "
        "\"peak_kib\": %ld, \"twice_kib\": %ld}\n", seconds, 1e-9 * (double)callers, cpu_seconds() - cpu,
        (unsigned long long)job->lines, status_kib("VmHWM:"), twice);
}

/// How long a fixed number of independent additions takes: what a neighbour on the same core takes away, also one in
/// another virtual machine.
static double round_ns(int rounds) {
    uint64_t a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, begin = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < rounds; i++) {
        a += b, b ^= c, c += d, d ^= e, e += f, f ^= a, a += 3, b += 5, c += 7, d += 11, e += 13, f += 17;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return (double)(clock_ns(CLOCK_MONOTONIC) - begin) / rounds;
}

/// The mean of a call in batches that fill nothing, without a clock around each call: of all batches, and of those before
/// and after which the core was at its full speed, so that nothing else ran on it.
static void batch(const job *job) {
    enum { WARM_UP = 5, PROBE = 5000 };
    int batches = (int)(job->lines / BENCH_BATCH);
    if (batches <= WARM_UP) fail("batch: at least %d lines", (WARM_UP + 1) * BENCH_BATCH);
    double *means = calloc((size_t)batches, sizeof *means), *rounds = calloc((size_t)batches, sizeof *rounds), total = 0;
    // The best that the runner has ever seen; without a runner, the best of this run.
    double best = getenv("BENCH_ROUND_NS") ? atof(getenv("BENCH_ROUND_NS")) : 1e9;
    for (int i = 0; i < batches; i++) {
        round_ns(PROBE);  // The core has slept.
        double before = round_ns(PROBE);
        uint64_t begin = clock_ns(CLOCK_MONOTONIC);
        log_some(job, 0, BENCH_FIRST_ID + (uint64_t)i * BENCH_BATCH, BENCH_BATCH);
        means[i] = (double)(clock_ns(CLOCK_MONOTONIC) - begin) / BENCH_BATCH;
        double behind = round_ns(PROBE);
        rounds[i] = before > behind ? before : behind;
        if (rounds[i] < best) best = rounds[i];
        if (i >= WARM_UP) total += means[i];
        // The writer empties the queue meanwhile: the call is measured, not a full queue.
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    int counted = batches - WARM_UP, alone = 0;
    double alone_total = 0;
    for (int i = WARM_UP; i < batches; i++)
        if (rounds[i] <= 1.1 * best) alone++, alone_total += means[i];
    qsort(means + WARM_UP, (size_t)counted, sizeof *means, ascending);
    finish(job, (uint64_t)batches * BENCH_BATCH);
    dprintf(result_fd, "{\"mean_ns\": %.2f, \"median_ns\": %.2f, ", total / counted, means[WARM_UP + counted / 2]);
    // Where they are few, neighbours came and went all the time, and those only look alone.
    if (alone * 4 >= counted) dprintf(result_fd, "\"alone_ns\": %.2f, ", alone_total / alone);
    dprintf(result_fd, "\"alone_share\": %.2f, \"lines\": %llu}\n", (double)alone / counted,
        (unsigned long long)batches * BENCH_BATCH);
    free(means);
    free(rounds);
}

static void *paced_thread(void *context) {
    work *work = context;
    uint64_t burst = 100 / (uint64_t)work->job->threads;
    pthread_barrier_wait(work->begin);
    uint64_t tick = clock_ns(CLOCK_MONOTONIC);
    for (uint64_t done = 0; done < work->count; tick += 1000000) {
        struct timespec until = {.tv_sec = (time_t)(tick / 1000000000u), .tv_nsec = (long)(tick % 1000000000u)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        for (uint64_t i = 0; i < burst && done < work->count; i++, done++) {
            uint64_t begin = ticks();
            log_some(work->job, work->thread, work->first + done, 1);
            uint64_t end = ticks();
            double nanoseconds = (double)(end - begin) * work->nanoseconds_per_tick;
            work->latencies[done] = nanoseconds < 4e9 ? (uint32_t)nanoseconds : 4000000000u;
        }
    }
    return NULL;
}

/// A hundred lines a millisecond over all threads, with a clock around every call.
static void paced(const job *job) {
    uint64_t clock = clock_ns(CLOCK_MONOTONIC), counter = ticks(), began;
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    double ns_per_tick = (double)(clock_ns(CLOCK_MONOTONIC) - clock) / (double)(ticks() - counter);
    uint32_t *latencies = malloc(job->lines * sizeof *latencies);
    memset(latencies, 1, job->lines * sizeof *latencies);
    double cpu = cpu_seconds();
    run_threads(job, paced_thread, latencies, ns_per_tick, &began);
    cpu = cpu_seconds() - cpu;
    finish(job, job->lines);
    qsort(latencies, job->lines, sizeof *latencies, ascending32);
    dprintf(result_fd, "{\"p50_ns\": %u, \"p99_ns\": %u, \"p999_ns\": %u, \"max_ns\": %u, \"cpu_seconds\": %.6f, \"lines\": %llu}\n",
        latencies[job->lines / 2], latencies[job->lines / 100 * 99], latencies[job->lines / 1000 * 999],
        latencies[job->lines - 1], cpu, (unsigned long long)job->lines);
    free(latencies);
}

/// A call below the threshold, over an empty loop.
static void disabled(const job *job) {
    enum { ROUNDS = 9 };
    const bench_implementation *it = job->implementation;
    if (!it->log_disabled || !it->loop_empty) fail("%s has no disabled call", it->name);
    uint64_t count = job->lines;
    double call[ROUNDS], empty[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        uint64_t first = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        it->loop_empty(count);
        uint64_t second = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        it->log_disabled(count);
        uint64_t third = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (i < 0) continue;
        empty[i] = (double)(second - first) / (double)count;
        call[i] = (double)(third - second) / (double)count;
    }
    qsort(call, ROUNDS, sizeof *call, ascending);
    qsort(empty, ROUNDS, sizeof *empty, ascending);
    finish(job, 0);
    dprintf(result_fd, "{\"call_ns\": %.4f, \"empty_ns\": %.4f, \"over_ns\": %.4f, \"lines\": 0}\n", call[ROUNDS / 2],
        empty[ROUNDS / 2], call[ROUNDS / 2] - empty[ROUNDS / 2]);
}

/// CPU of the whole program in ten seconds in which nothing is logged, two seconds after its last line.
static void idle(const job *job) {
    log_some(job, 0, BENCH_FIRST_ID, 1);
    // What the last line woke is asleep again.
    sleep(2);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    sleep(10);
    cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    getrusage(RUSAGE_SELF, &after);
    finish(job, 1);
    dprintf(result_fd, "{\"cpu_ms\": %.4f, \"switches\": %ld, \"lines\": 1}\n", 1e-6 * (double)cpu,
        after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw);
}

/// Allocations of the calling thread, and of all threads, per line. Needs the counting allocator preloaded.
static void allocations(const job *job) {
    enum { WARM_UP = 10000 };
    uint64_t (*of_thread)(void) = (uint64_t (*)(void))dlsym(RTLD_DEFAULT, "bench_allocations_of_thread");
    uint64_t (*of_process)(void) = (uint64_t (*)(void))dlsym(RTLD_DEFAULT, "bench_allocations_of_process");
    if (!of_thread || !of_process) fail("allocations: preload the counting allocator");
    uint64_t disabled = 0;
    log_some(job, 0, BENCH_FIRST_ID, WARM_UP);
    if (job->implementation->log_disabled) {
        disabled = of_thread();
        job->implementation->log_disabled(1000);
        disabled = of_thread() - disabled;
    }
    uint64_t thread = of_thread(), process = of_process();
    log_some(job, 0, BENCH_FIRST_ID + WARM_UP, job->lines - WARM_UP);
    thread = of_thread() - thread;
    process = of_process() - process;
    finish(job, job->lines);
    double counted = (double)(job->lines - WARM_UP);
    dprintf(result_fd, "{\"caller_per_line\": %.6f, \"process_per_line\": %.6f, \"caller\": %llu, \"disabled\": %llu, "
        "\"lines\": %llu}\n", (double)thread / counted, (double)process / counted, (unsigned long long)thread,
        (unsigned long long)disabled, (unsigned long long)job->lines);
}

/// What the program holds when nothing was started.
static void nothing(const job *job) {
    (void)job;
    dprintf(result_fd, "{\"peak_kib\": %ld, \"lines\": 0}\n", status_kib("VmHWM:"));
}

/// How fast the core is now; see `round_ns`.
static void speed(const job *job) {
    (void)job;
    enum { TRIES = 41 };
    double means[TRIES];
    for (int try = 0; try < TRIES; try++) means[try] = round_ns(25000);
    qsort(means, TRIES, sizeof *means, ascending);
    dprintf(result_fd, "{\"round_ns\": %.4f}\n", means[TRIES / 2]);
}

static const struct { const char *name; void (*run)(const job *); bool starts; } modes[] = {
    {"flood", flood, true}, {"batch", batch, true}, {"paced", paced, true}, {"disabled", disabled, true},
    {"idle", idle, true}, {"allocations", allocations, true}, {"nothing", nothing, false}, {"speed", speed, false},
};

int bench_main(int argc, char **argv, const bench_implementation *implementations, int count) {
    job job = {.threads = 1, .lines = 1000000};
    const char *mode = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--attributes") == 0) {
            job.attributes = true;
        } else if (word[0] == '-' && !value) {
            fail("%s needs a value", word);
        } else if (strcmp(word, "--threads") == 0) {
            job.threads = atoi(value), i++;
        } else if (strcmp(word, "--lines") == 0) {
            job.lines = strtoull(value, NULL, 10), i++;
        } else if (strcmp(word, "--directory") == 0) {
            job.directory = value, i++;
        } else if (word[0] == '-') {
            fail("unknown option %s", word);
        } else if (!job.implementation) {
            for (int k = 0; k < count; k++)
                if (strcmp(word, implementations[k].name) == 0) job.implementation = &implementations[k];
            if (!job.implementation) fail("unknown implementation %s", word);
        } else {
            mode = word;
        }
    }
    if (!job.implementation || !mode || !job.directory) {
        fprintf(stderr, "usage: %s IMPLEMENTATION MODE --directory DIR [--threads N] [--lines N] [--attributes]\n", argv[0]);
        for (int k = 0; k < count; k++) fprintf(stderr, "  %s\n", implementations[k].name);
        return 64;
    }
    if (job.threads < 1 || job.threads > 64 || job.lines % (uint64_t)job.threads) fail("lines must divide by threads");
    if (job.lines > 9000000 && strcmp(mode, "disabled")) fail("more than 9,000,000 lines would be longer than 100 bytes");
    if (job.attributes && !job.implementation->log_with_attributes) fail("%s has no attributes", job.implementation->name);
    result_fd = dup(1);
    make_users();
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        if (strcmp(mode, modes[k].name)) continue;
        if (modes[k].starts) job.implementation->start(job.directory);
        modes[k].run(&job);
        return 0;
    }
    fail("unknown mode %s", mode);
    return 64;
}
