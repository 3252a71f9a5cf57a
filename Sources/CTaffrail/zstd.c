#include "taffrail_zstd.h"

#include <dlfcn.h>
#include <pthread.h>

// Loaded at run time, like zlib, so that a program that does not compress needs neither.
static size_t (*compress_bound)(size_t);
static size_t (*compress)(void *, size_t, const void *, size_t, int);
static unsigned (*is_error)(size_t);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    compress_bound = (size_t(*)(size_t))dlsym(library, "ZSTD_compressBound");
    is_error = (unsigned (*)(size_t))dlsym(library, "ZSTD_isError");
    compress = (size_t(*)(void *, size_t, const void *, size_t, int))dlsym(library, "ZSTD_compress");
    if (!compress_bound || !is_error) compress = NULL;
}

int taffrail_zstd_is_available(void) {
    pthread_once(&once, load);
    return compress != NULL;
}

size_t taffrail_zstd_bound(size_t count) {
    if (!taffrail_zstd_is_available()) return 0;
    size_t bound = compress_bound(count);
    return is_error(bound) ? 0 : bound;
}

size_t taffrail_zstd(const uint8_t *from, size_t count, uint8_t *to, size_t room, int level) {
    if (!taffrail_zstd_is_available()) return 0;
    size_t length = compress(to, room, from, count, level);
    return is_error(length) ? 0 : length;
}
