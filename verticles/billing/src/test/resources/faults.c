/*
 * Makes the disk fail under a process: LD_PRELOAD of this library, with
 * FAULT_SYNC_FROM, FAULT_SYNCS: that many syncs fail, from that one on (counted from 1);
 * FAULT_WRITE: the process is killed in the middle of that write.
 * Only files whose path contains FAULT_PATH count.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long syncs;
static long writes;

static long number(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? 0 : atol(value);
}

static int counts(int fd) {
    char link[64];
    char path[4096];
    const char *part = getenv("FAULT_PATH");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (part == NULL || length < 0) {
        return 0;
    }
    path[length] = 0;
    return strstr(path, part) != NULL;
}

static int sync_with(const char *name, int fd) {
    if (counts(fd)) {
        long now = __sync_add_and_fetch(&syncs, 1);
        long from = number("FAULT_SYNC_FROM");
        if (from > 0 && now >= from && now < from + number("FAULT_SYNCS")) {
            errno = EIO;
            return -1;
        }
    }
    int (*next)(int) = dlsym(RTLD_NEXT, name);
    return next(fd);
}

int fsync(int fd) {
    return sync_with("fsync", fd);
}

int fdatasync(int fd) {
    return sync_with("fdatasync", fd);
}

static ssize_t write_with(const char *name, int fd, const void *bytes, size_t length, off_t at) {
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (counts(fd) && __sync_add_and_fetch(&writes, 1) == number("FAULT_WRITE")) {
        next(fd, bytes, length / 2, at);
        raise(SIGKILL);
    }
    return next(fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return write_with("pwrite", fd, bytes, length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) {
    return write_with("pwrite64", fd, bytes, length, at);
}
