#define _GNU_SOURCE
#include "taffrail_gunzip.h"

#include "zlib_stream.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

static int (*inflate_init)(stream *, int, const char *, int);
static int (*inflate_some)(stream *, int);
static int (*inflate_reset)(stream *);
static int (*inflate_end)(stream *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    inflate_init = (int (*)(stream *, int, const char *, int))dlsym(library, "inflateInit2_");
    inflate_some = (int (*)(stream *, int))dlsym(library, "inflate");
    inflate_reset = (int (*)(stream *))dlsym(library, "inflateReset");
    inflate_end = (int (*)(stream *))dlsym(library, "inflateEnd");
    if (!inflate_some || !inflate_reset || !inflate_end) inflate_init = NULL;
}

struct taffrail_gunzip {
    stream z;
    int fd;
    int is_between_members;
    // The error that ended decompression; data decompressed before the error is returned first.
    int failure;
    int64_t offset;
    uint8_t buffer[CHUNK];
};

struct taffrail_gunzip *taffrail_gunzip_open(int fd) {
    pthread_once(&once, load);
    if (!inflate_init) return NULL;
    struct taffrail_gunzip *gz = calloc(1, sizeof *gz);
    if (!gz) return NULL;
    gz->fd = fd;
    if (inflate_init(&gz->z, GZIP_WINDOW, "1.2.0", (int)sizeof gz->z) == OK) return gz;
    free(gz);
    return NULL;
}

int64_t taffrail_gunzip_read(struct taffrail_gunzip *gz, void *bytes, int64_t count) {
    if (gz->failure) return -gz->failure;
    stream *z = &gz->z;
    z->next_out = bytes;
    z->avail_out = (unsigned int)count;
    while (z->avail_out == (unsigned int)count) {
        if (z->avail_in == 0) {
            ssize_t got = pread(gz->fd, gz->buffer, CHUNK, gz->offset);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return -errno;
            if (got == 0) return gz->is_between_members ? 0 : -ENODATA;
            gz->offset += got;
            z->next_in = gz->buffer;
            z->avail_in = (unsigned int)got;
        }
        gz->is_between_members = 0;
        int status = inflate_some(z, NO_FLUSH);
        if (status == STREAM_END) {
            gz->is_between_members = 1;
            if (inflate_reset(z) != OK) gz->failure = EILSEQ;
        } else if (status != OK && status != BUFFER_ERROR) {
            gz->failure = EILSEQ;
        }
        if (gz->failure) break;
    }
    return gz->failure && z->avail_out == (unsigned int)count ? -gz->failure : count - z->avail_out;
}

int64_t taffrail_gunzip_offset(const struct taffrail_gunzip *gz) { return gz->offset - gz->z.avail_in; }

void taffrail_gunzip_close(struct taffrail_gunzip *gz) {
    if (!gz) return;
    (void)inflate_end(&gz->z);
    free(gz);
}
