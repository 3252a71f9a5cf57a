// System calls on files that are not importable because their headers hide them without _GNU_SOURCE.
#ifndef TAFFRAIL_FILES_H
#define TAFFRAIL_FILES_H

/// Renames a file unless the target exists. 0, or an errno value (EEXIST when it exists).
int taffrail_rename_exclusive(const char *_Nonnull from, const char *_Nonnull to);

/// Writes out everything that the file system of `fd` still holds in memory. 0, or an errno value.
int taffrail_sync_filesystem(int fd);

#endif
