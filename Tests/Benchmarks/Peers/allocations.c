// A counting allocator to be preloaded: it hands every request on to glibc and counts it, per thread and in total.
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread uint64_t of_thread __attribute__((tls_model("initial-exec")));
static _Atomic uint64_t of_process;

static void count(void) {
    of_thread++;
    atomic_fetch_add_explicit(&of_process, 1, memory_order_relaxed);
}

void *malloc(size_t size) { return count(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return count(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return count(), __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return count(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return count(), __libc_memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

uint64_t bench_allocations_of_thread(void) { return of_thread; }
uint64_t bench_allocations_of_process(void) { return atomic_load_explicit(&of_process, memory_order_relaxed); }
