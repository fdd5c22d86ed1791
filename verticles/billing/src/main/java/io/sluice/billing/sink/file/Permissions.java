package io.sluice.billing.sink.file;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** The permissions of new files: access for their owner alone, where the file system supports owners. */
final class Permissions {
    private static final FileAttribute<?>[] NONE = {};

    private Permissions() {}

    /** Permissions of a new directory. */
    static FileAttribute<?>[] directory(Path path) {
        return of(path, "rwx------");
    }

    /** Permissions of a new file. */
    static FileAttribute<?>[] file(Path path) {
        return of(path, "rw-------");
    }

    /** Whether the file system supports POSIX permissions. */
    static boolean areKept(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] of(Path path, String permissions) {
        return areKept(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }
}
