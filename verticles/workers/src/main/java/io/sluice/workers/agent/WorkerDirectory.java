package io.sluice.workers.agent;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where a worker keeps its keys, and what its guards run and read: a directory that its user alone may write. */
public final class WorkerDirectory {
    private static final FileAttribute<?> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> SECRET =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final String MUST =
            ": the directory of a worker must belong to its own user, and no one else may write it";

    private WorkerDirectory() {}

    /**
     * The one that a worker has if no other is named. It outlives the machine's start, and no other user can make it.
     *
     * @param id the worker's name
     * @param variables the environment
     */
    public static Path standard(String id, boolean isRoot, Map<String, String> variables, Path home) {
        var state = isRoot
                ? Path.of("/var/lib")
                : Optional.ofNullable(variables.get("XDG_STATE_HOME"))
                        .map(Path::of)
                        .filter(Path::isAbsolute)
                        .orElseGet(() -> home.resolve(".local/state"));
        return state.resolve("sluice").resolve("worker-" + id);
    }

    /** Makes it, or refuses one that exists and is open to others. Its parents are the operator's concern. */
    static void make(Path directory) throws IOException {
        try {
            var parent = directory.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(directory, OWN);
        } catch (FileAlreadyExistsException earlier) {
            verify(directory);
        } catch (FileSystemException refused) {
            throw new IOException("the directory " + directory + " cannot be made: " + refused, refused);
        }
    }

    private static void verify(Path directory) throws IOException {
        var found = Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw new IOException(directory + " is " + (found.isSymbolicLink() ? "a symbolic link" : "a file") + MUST);
        }
        if (!found.owner().equals(Files.getOwner(Path.of("/proc/self")))) {
            throw new IOException(directory + " belongs to " + found.owner().getName() + MUST);
        }
        if (!Collections.disjoint(found.permissions(), OF_OTHERS)) {
            throw new IOException(directory + " is " + PosixFilePermissions.toString(found.permissions()) + MUST);
        }
    }

    /** Writes a file that its user alone may read. */
    static Path writeSecret(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        return Files.writeString(Files.createFile(file, SECRET), text);
    }
}
