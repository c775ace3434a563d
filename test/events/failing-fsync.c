/* Loaded before the C library: syncing fails with EIO while the file named by FSYNC_FAILS_IF is
 * there. Once it is gone syncing succeeds again, as it would in a kernel that dropped the pages. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  const char *file = getenv("FSYNC_FAILS_IF");
  return file != NULL && access(file, F_OK) == 0;
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
