#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// A zip archive being written with libarchive, which is loaded on first use.
typedef struct carchive_zip carchive_zip;

/// Receives a part of the archive; returns how many bytes it accepted, or -1.
typedef ssize_t (*carchive_write)(void *_Nullable data, const void *_Nonnull bytes, size_t count);

/// NULL if libarchive is missing, or there is no memory.
carchive_zip *_Nullable carchive_zip_new(carchive_write _Nonnull write, void *_Nullable data);

/// Begins a file, folder or link.
///
/// @param path within the archive, of raw bytes.
/// @param mode the type and the permissions, as in stat(2).
/// @param target of a link; otherwise NULL.
int carchive_zip_entry(carchive_zip *_Nonnull zip, const char *_Nonnull path, uint32_t mode, int64_t size,
                       int64_t modified_seconds, const char *_Nullable target);
/// Adds data to the current file. Returns 0, or -1.
int carchive_zip_data(carchive_zip *_Nonnull zip, const void *_Nonnull bytes, size_t count);
/// Writes the end of the archive. Returns 0, or -1.
int carchive_zip_finish(carchive_zip *_Nonnull zip);
/// Why the last call failed.
const char *_Nonnull carchive_zip_error(carchive_zip *_Nonnull zip);
void carchive_zip_free(carchive_zip *_Nonnull zip);

#pragma clang assume_nonnull end

#endif
