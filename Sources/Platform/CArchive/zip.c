#include "CArchive.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions of libarchive used here. Its headers would make the build link it, and load it into every application
// that uses Carry, for rare folders. It is loaded on first use.
struct archive;
struct archive_entry;
typedef ssize_t archive_write_callback(struct archive *, void *, const void *, size_t);

static struct {
  struct archive *(*new)(void);
  int (*set_zip)(struct archive *);
  int (*set_bytes_per_block)(struct archive *, int);
  int (*set_bytes_in_last_block)(struct archive *, int);
  int (*set_options)(struct archive *, const char *);
  int (*open)(struct archive *, void *, void *, archive_write_callback *, void *);
  int (*header)(struct archive *, struct archive_entry *);
  ssize_t (*data)(struct archive *, const void *, size_t);
  int (*finish_entry)(struct archive *);
  int (*close)(struct archive *);
  int (*free)(struct archive *);
  int (*fail)(struct archive *);
  const char *(*error)(struct archive *);
  struct archive_entry *(*entry_new)(void);
  struct archive_entry *(*entry_clear)(struct archive_entry *);
  void (*entry_free)(struct archive_entry *);
  void (*entry_path)(struct archive_entry *, const char *);
  void (*entry_mode)(struct archive_entry *, mode_t);
  void (*entry_size)(struct archive_entry *, int64_t);
  void (*entry_time)(struct archive_entry *, time_t, long);
  void (*entry_link)(struct archive_entry *, const char *);
} lib;

// ARCHIVE_OK and ARCHIVE_WARN of its ABI: a warning, such as for a name that is not UTF-8, is not a failure.
enum { OK = 0, WARN = -20 };

static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const clibrary_function wanted[] = {
      {&lib.new, "archive_write_new"},
      {&lib.set_zip, "archive_write_set_format_zip"},
      {&lib.set_bytes_per_block, "archive_write_set_bytes_per_block"},
      {&lib.set_bytes_in_last_block, "archive_write_set_bytes_in_last_block"},
      {&lib.set_options, "archive_write_set_options"},
      {&lib.open, "archive_write_open"},
      {&lib.header, "archive_write_header"},
      {&lib.data, "archive_write_data"},
      {&lib.finish_entry, "archive_write_finish_entry"},
      {&lib.close, "archive_write_close"},
      {&lib.free, "archive_write_free"},
      {&lib.fail, "archive_write_fail"},
      {&lib.error, "archive_error_string"},
      {&lib.entry_new, "archive_entry_new"},
      {&lib.entry_clear, "archive_entry_clear"},
      {&lib.entry_free, "archive_entry_free"},
      {&lib.entry_path, "archive_entry_set_pathname"},
      {&lib.entry_mode, "archive_entry_set_mode"},
      {&lib.entry_size, "archive_entry_set_size"},
      {&lib.entry_time, "archive_entry_set_mtime"},
      {&lib.entry_link, "archive_entry_set_symlink"},
  };
  is_there = clibrary_load("libarchive.so.13", wanted, sizeof wanted / sizeof *wanted);
}

struct carchive_zip {
  struct archive *archive;
  struct archive_entry *entry;
  carchive_write write;
  void *data;
};

static ssize_t forward(struct archive *archive, void *data, const void *bytes, size_t count) {
  (void)archive;
  carchive_zip *zip = data;
  return zip->write(zip->data, bytes, count);
}

carchive_zip *carchive_zip_new(carchive_write write, void *data) {
  pthread_once(&once, load);
  if (!is_there) return NULL;
  carchive_zip *zip = calloc(1, sizeof *zip);
  if (!zip) return NULL;
  zip->write = write;
  zip->data = data;
  zip->archive = lib.new();
  zip->entry = lib.entry_new();
  if (!zip->archive || !zip->entry) {
    carchive_zip_free(zip);
    return NULL;
  }
  lib.set_zip(zip->archive);
  lib.set_options(zip->archive, "hdrcharset=UTF-8");
  // Parts are forwarded as they arrive, so that the recipient sees progress.
  lib.set_bytes_per_block(zip->archive, 0);
  lib.set_bytes_in_last_block(zip->archive, 1);
  if (lib.open(zip->archive, zip, NULL, forward, NULL) != OK) {
    carchive_zip_free(zip);
    return NULL;
  }
  return zip;
}

int carchive_zip_entry(carchive_zip *zip, const char *path, uint32_t mode, int64_t size, int64_t modified_seconds,
                       const char *target) {
  lib.entry_clear(zip->entry);
  lib.entry_path(zip->entry, path);
  lib.entry_mode(zip->entry, mode);
  lib.entry_size(zip->entry, size);
  lib.entry_time(zip->entry, modified_seconds, 0);
  if (target) lib.entry_link(zip->entry, target);
  return lib.header(zip->archive, zip->entry) >= WARN ? 0 : -1;
}

int carchive_zip_data(carchive_zip *zip, const void *bytes, size_t count) {
  return lib.data(zip->archive, bytes, count) == (ssize_t)count ? 0 : -1;
}

int carchive_zip_finish(carchive_zip *zip) { return lib.close(zip->archive) >= WARN ? 0 : -1; }

const char *carchive_zip_error(carchive_zip *zip) {
  const char *why = lib.error(zip->archive);
  return why ? why : "the archive cannot be written";
}

void carchive_zip_free(carchive_zip *zip) {
  if (zip->entry) lib.entry_free(zip->entry);
  if (zip->archive) {
    // Otherwise the end of the archive would still be written.
    lib.fail(zip->archive);
    lib.free(zip->archive);
  }
  free(zip);
}
