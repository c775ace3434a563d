/* Loaded before the C library: after every sync of a file in the folder SYNCED_OF, a copy of it as
 * it then is takes the place of the one before in the folder SYNCED_TO. What stands there is what a
 * disk holds for certain when the power fails. The copy is read through the descriptor that was
 * synced: opening the file again and closing it would drop the locks that the process has on it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

static void keep(int descriptor) {
  const char *of = getenv("SYNCED_OF"), *to = getenv("SYNCED_TO");
  char link[64], path[PATH_MAX], target[PATH_MAX], draft[PATH_MAX], buffer[1 << 16];
  if (of == NULL || to == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  size_t folder = strlen(of);
  if (strncmp(path, of, folder) != 0 || path[folder] != '/') return;
  snprintf(target, sizeof target, "%s/%s", to, path + folder + 1);
  snprintf(draft, sizeof draft, "%s/draft.%d", to, (int)gettid());
  int out = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0) abort();
  off_t offset = 0;
  ssize_t size;
  while ((size = pread(descriptor, buffer, sizeof buffer, offset)) > 0) {
    if (write(out, buffer, size) != size) abort();
    offset += size;
  }
  close(out);
  if (size < 0) unlink(draft); /* A folder. */
  else if (rename(draft, target) != 0) abort();
}

int fsync(int descriptor) {
  int result = ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
  if (result == 0) keep(descriptor);
  return result;
}

int fdatasync(int descriptor) {
  int result = ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
  if (result == 0) keep(descriptor);
  return result;
}
