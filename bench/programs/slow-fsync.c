/* Loaded before the C library: every sync of a file takes FSYNC_EXTRA_US microseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_extra(void) {
  const char *extra = getenv("FSYNC_EXTRA_US");
  if (extra != NULL) usleep(atoi(extra));
}

int fsync(int descriptor) {
  wait_extra();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  wait_extra();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
