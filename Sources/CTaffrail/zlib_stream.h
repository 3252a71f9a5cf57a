// The part of zlib needed for both directions of gzip.
#ifndef TAFFRAIL_ZLIB_STREAM_H
#define TAFFRAIL_ZLIB_STREAM_H

#include <stdint.h>

// zlib's stream, with the layout of its binary interface since version 1.0.
typedef struct stream {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned int, unsigned int);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} stream;

enum { NO_FLUSH = 0, FINISH = 4, OK = 0, STREAM_END = 1, BUFFER_ERROR = -5, DEFLATED = 8, GZIP_WINDOW = 15 + 16 };

#endif
