// The viewer's pages, which the compiler puts into the program as they are in the directory `pages`.
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

/// All files. They are there as long as the program.
const taffrail_viewer_page *_Nonnull taffrail_viewer_pages(size_t *_Nonnull count);

#endif
