/* Loaded before the C library: syncing fails with EIO while the file named by FSYNC_FAILS_IF is
 * there. Once it is gone syncing succeeds again, as it would in a kernel that dropped the pages.
 * While the file named by FSYNC_WAITS_IF is there syncing takes as long. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int is_there(const char *name) {
  const char *file = getenv(name);
  return file != NULL && access(file, F_OK) == 0;
}

static int fails(void) {
  while (is_there("FSYNC_WAITS_IF")) usleep(1000);
  return is_there("FSYNC_FAILS_IF");
}

int fsync(int descriptor) {
  if (fails()) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  if (fails()) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
