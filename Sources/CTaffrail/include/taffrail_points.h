#ifndef TAFFRAIL_POINTS_H
#define TAFFRAIL_POINTS_H

/// Named points between the steps of writing, rotating, compressing and deleting a log. The program that the tests kill
/// defines `taffrail_reached` and dies at one of these points; in other programs, which lack the function, a point
/// costs one comparison.
enum {
    /// A block: its intent is stored; it is written; its end is in the checkpoint; the intent is cleared.
    TAFFRAIL_POINT_NOTED = 1,
    TAFFRAIL_POINT_WRITTEN = 2,
    TAFFRAIL_POINT_CHECKPOINTED = 3,
    TAFFRAIL_POINT_CLEARED = 4,
    /// A rotation: its intent is stored; the file is renamed; the new file exists.
    TAFFRAIL_POINT_ROTATION_NOTED = 5,
    TAFFRAIL_POINT_RENAMED = 6,
    TAFFRAIL_POINT_ROTATED = 7,
    /// A compression: the result is written; it is renamed; the source is deleted.
    TAFFRAIL_POINT_COMPRESSED = 8,
    TAFFRAIL_POINT_PUBLISHED = 9,
    TAFFRAIL_POINT_REPLACED = 10,
    /// Retention: a file is deleted.
    TAFFRAIL_POINT_REMOVED = 11,
    /// `clearLog`: the live file is empty.
    TAFFRAIL_POINT_EMPTIED = 12,
};

extern void taffrail_reached(int point) __attribute__((weak));

static inline void taffrail_point(int point) {
    if (taffrail_reached) taffrail_reached(point);
}

#endif
