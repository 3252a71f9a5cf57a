// The viewer's pages, which the compiler embeds unchanged from the directory `pages`.
#ifndef TAFFRAIL_VIEWER_H
#define TAFFRAIL_VIEWER_H

#include <stddef.h>
#include <stdint.h>

/// A file of the viewer.
typedef struct {
    const char *_Nonnull name;
    const uint8_t *_Nonnull bytes;
    size_t count;
} taffrail_viewer_page;

/// Returns all files. They have static lifetime.
const taffrail_viewer_page *_Nonnull taffrail_viewer_pages(size_t *_Nonnull count);

#endif
