#define _GNU_SOURCE
#include "taffrail_gzip.h"

#include "zlib_stream.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMORY = 8 };
enum { CHUNK = 64 << 10 };

static int (*deflate_init)(stream *, int, int, int, int, int, const char *, int);
static int (*deflate_some)(stream *, int);
static int (*deflate_end)(stream *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    deflate_init = (int (*)(stream *, int, int, int, int, int, const char *, int))dlsym(library, "deflateInit2_");
    deflate_some = (int (*)(stream *, int))dlsym(library, "deflate");
    deflate_end = (int (*)(stream *))dlsym(library, "deflateEnd");
    if (!deflate_some || !deflate_end) deflate_init = NULL;
}

int taffrail_gzip_is_available(void) {
    pthread_once(&once, load);
    return deflate_init != NULL;
}

static int write_all(int fd, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written == 0 ? EIO : errno;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

int taffrail_gzip(int from, int to, int level, const uint32_t *stop, int64_t *length) {
    *length = 0;
    if (!taffrail_gzip_is_available()) return ENOSYS;
    uint8_t *buffers = malloc(2 * CHUNK);
    if (!buffers) return ENOMEM;
    stream z;
    memset(&z, 0, sizeof z);
    int result = deflate_init(&z, level, DEFLATED, GZIP_WINDOW, MEMORY, 0, "1.2.0", (int)sizeof z) == OK ? 0 : ENOMEM;
    if (result != 0) {
        free(buffers);
        return result;
    }
    int status = OK;
    while (result == 0 && status != STREAM_END) {
        if (__atomic_load_n(stop, __ATOMIC_RELAXED)) {
            result = ECANCELED;
            break;
        }
        ssize_t count = pread(from, buffers, CHUNK, *length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            result = errno;
            break;
        }
        *length += count;
        z.next_in = buffers;
        z.avail_in = (unsigned int)count;
        do {
            z.next_out = buffers + CHUNK;
            z.avail_out = CHUNK;
            status = deflate_some(&z, count == 0 ? FINISH : NO_FLUSH);
            result = write_all(to, buffers + CHUNK, CHUNK - z.avail_out);
        } while (result == 0 && z.avail_out == 0);
    }
    (void)deflate_end(&z);
    free(buffers);
    return result;
}

void taffrail_lower_priority(void) { (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19); }
