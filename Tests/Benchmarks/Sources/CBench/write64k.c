// The bound: the same bytes, made before the clock starts, by write(2) in blocks of 64 KiB, rotating at a line's end.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cbench.h"

static char path[4096], *text;
static int file = -1;
static uint64_t made, written;
enum { MADE_LINES = 1000000 };

static void reopen(void) {
    if (file >= 0) {
        char from[4120], to[4120];
        close(file);
        for (int i = BENCH_KEEP - 1; i >= 0; i--) {
            snprintf(from, sizeof from, i ? "%s.%d" : "%s", path, i);
            snprintf(to, sizeof to, "%s.%d", path, i + 1);
            rename(from, to);
        }
    }
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    written = 0;
    if (file < 0) {
        perror(path);
        exit(1);
    }
}

static void start(const char *directory) {
    snprintf(path, sizeof path, "%s/app.log", directory);
    text = malloc((size_t)MADE_LINES * BENCH_LINE_LENGTH + 1);
    if (!text) exit(1);
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    char stamp[32];
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &local);
    for (made = 0; made < MADE_LINES; made++)
        sprintf(text + made * BENCH_LINE_LENGTH, "[%s.%03d] [INFO] request id=%llu served for user=%s by pool=main rc 200\n",
            stamp, (int)(made / 1000), (unsigned long long)(BENCH_FIRST_ID + made), bench_user((int)made));
    reopen();
}

static void log_lines(int thread, uint64_t first, uint64_t count) {
    (void)thread;
    const char *from = text + (first - BENCH_FIRST_ID) * BENCH_LINE_LENGTH;
    uint64_t left = count * BENCH_LINE_LENGTH;
    const uint64_t block = 65536 / BENCH_LINE_LENGTH * BENCH_LINE_LENGTH;
    while (left) {
        uint64_t size = left < block ? left : block;
        if (written + size > BENCH_ROTATE_SIZE) reopen();
        ssize_t done = write(file, from, size);
        if (done < 0) {
            perror("write");
            exit(1);
        }
        from += done, left -= (uint64_t)done, written += (uint64_t)done;
    }
}

static void finish(const char *directory, uint64_t bytes) {
    (void)directory, (void)bytes;
    close(file);
}

const bench_implementation bench_write64k = {.name = "write64k", .start = start, .log_lines = log_lines, .finish = finish};
