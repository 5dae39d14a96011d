/* Records every call by which a process changes its disk. Preloaded with LD_PRELOAD, it appends each call that changes a
   file or folder below RECORD_UNDER to the file RECORD_TO, in order.

   An entry: a header of five numbers (kind, length of the first path, of the second path, of the data; offset), then the
   two paths and the data. Failed calls, reads and shared memory are not recorded; SQLite makes its -shm file again after
   every crash. Calls that are not listed here are missed, so a reader must compare the outcome of the record with the
   files that really exist (test_recording_is_complete). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, MKDIR, RMDIR };

struct header { uint32_t kind, path, other, data; int64_t offset; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static char under[4096];

#define REAL(name) ((__typeof__(&name)) real(#name))

static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void begin(void) {
    const char *to = getenv("RECORD_TO"), *folder = getenv("RECORD_UNDER");
    if (to && folder) {
        snprintf(under, sizeof under, "%s", folder);
        record = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

static int is_recorded(const char *path) {
    return record >= 0 && !strncmp(path, under, strlen(under));
}

static void absolute(const char *path, char *full) {
    char folder[4096];
    if (path[0] == '/' || !getcwd(folder, sizeof folder)) snprintf(full, 4096, "%s", path);
    else snprintf(full, 4096, "%.2000s/%.2000s", folder, path);
}

static void path_of(int fd, char *full);

static void absolute_in(int folder, const char *path, char *full) {
    char parent[4096];
    if (path[0] == '/' || folder == AT_FDCWD) { absolute(path, full); return; }
    path_of(folder, parent);
    snprintf(full, 4096, "%.2000s/%.2000s", parent, path);
}

static void path_of(int fd, char *full) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, full, 4095);
    full[length > 0 ? length : 0] = 0;
}

static void note(enum kind kind, const char *path, const char *other, const void *data, size_t length, int64_t offset) {
    struct header header = {kind, strlen(path), strlen(other), length, offset};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)path, header.path}, {(void *)other, header.other},
                            {(void *)data, length}};
    ssize_t whole = sizeof header + header.path + header.other + length;
    if (syscall(SYS_writev, record, parts, 4) != whole) abort();
}

static void note_fd(enum kind kind, int fd, const void *data, size_t length, int64_t offset) {
    char full[4096];
    path_of(fd, full);
    if (is_recorded(full)) note(kind, full, "", data, length, offset);
}

static int note_open(int folder, const char *path, int flags, mode_t mode) {
    char full[4096];
    struct stat before;
    absolute_in(folder, path, full);
    int is_new = stat(full, &before) != 0;
    int fd = syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && is_recorded(full)) {
        if (is_new && (flags & O_CREAT)) note(CREATE, full, "", "", 0, 0);
        else if ((flags & O_TRUNC) && before.st_size) note(TRUNCATE, full, "", "", 0, 0);
    }
    return fd;
}

#define LOCKED(expression) ({ pthread_mutex_lock(&lock); __typeof__(expression) got = (expression); \
                             pthread_mutex_unlock(&lock); got; })

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; va_end(rest); \
        return LOCKED(note_open(AT_FDCWD, path, flags, mode)); }
#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; va_end(rest); \
        return LOCKED(note_open(folder, path, flags, mode)); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

static ssize_t note_write(int fd, const void *data, size_t length, off_t offset) {
    off_t place = offset >= 0 ? offset : lseek(fd, 0, SEEK_CUR);
    ssize_t written = offset >= 0 ? syscall(SYS_pwrite64, fd, data, length, offset)
                                  : syscall(SYS_write, fd, data, length);
    if (written > 0) note_fd(WRITE, fd, data, written, place);
    return written;
}

ssize_t write(int fd, const void *data, size_t length) { return LOCKED(note_write(fd, data, length, -1)); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    return LOCKED(note_write(fd, data, length, offset));
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    return LOCKED(note_write(fd, data, length, offset));
}

#define BY_FD(name, kind, offset, arguments, ...) \
    static int note_##name(int fd, ##__VA_ARGS__) { \
        int failed = REAL(name) arguments; \
        if (!failed) note_fd(kind, fd, "", 0, offset); \
        return failed; }
BY_FD(fsync, SYNC, 0, (fd))
BY_FD(fdatasync, SYNC, 0, (fd))
BY_FD(ftruncate, TRUNCATE, size, (fd, size), off_t size)
BY_FD(ftruncate64, TRUNCATE, size, (fd, size), off64_t size)
int fsync(int fd) { return LOCKED(note_fsync(fd)); }
int fdatasync(int fd) { return LOCKED(note_fdatasync(fd)); }
int ftruncate(int fd, off_t size) { return LOCKED(note_ftruncate(fd, size)); }
int ftruncate64(int fd, off64_t size) { return LOCKED(note_ftruncate64(fd, size)); }

static int note_name_in(enum kind kind, int failed, int folder, const char *path, int to, const char *other) {
    char full[4096], second[4096] = "";
    absolute_in(folder, path, full);
    if (other) absolute_in(to, other, second);
    if (!failed && is_recorded(full)) note(kind, full, second, "", 0, 0);
    return failed;
}

static int note_name(enum kind kind, int failed, const char *path, const char *other) {
    return note_name_in(kind, failed, AT_FDCWD, path, AT_FDCWD, other);
}

int unlinkat(int folder, const char *path, int flags) {
    return LOCKED(note_name_in(flags & AT_REMOVEDIR ? RMDIR : UNLINK, REAL(unlinkat)(folder, path, flags), folder, path,
                               AT_FDCWD, NULL));
}
int renameat(int folder, const char *path, int to, const char *other) {
    return LOCKED(note_name_in(RENAME, REAL(renameat)(folder, path, to, other), folder, path, to, other));
}

int unlink(const char *path) { return LOCKED(note_name(UNLINK, REAL(unlink)(path), path, NULL)); }
int rename(const char *path, const char *to) { return LOCKED(note_name(RENAME, REAL(rename)(path, to), path, to)); }
int mkdir(const char *path, mode_t mode) { return LOCKED(note_name(MKDIR, REAL(mkdir)(path, mode), path, NULL)); }
int rmdir(const char *path) { return LOCKED(note_name(RMDIR, REAL(rmdir)(path), path, NULL)); }
