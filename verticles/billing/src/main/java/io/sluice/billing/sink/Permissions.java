package io.sluice.billing.sink;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** For whom files are made: for their owner alone, where the file system knows such a thing. */
final class Permissions {
    private static final FileAttribute<?>[] NONE = {};

    private Permissions() {}

    /** Of a new directory. */
    static FileAttribute<?>[] directory(Path path) {
        return of(path, "rwx------");
    }

    /** Of a new file. */
    static FileAttribute<?>[] file(Path path) {
        return of(path, "rw-------");
    }

    /** Whether the file system knows owners. */
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
