package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.h2.store.fs.FilePath;

/**
 * Disk space that is reserved for removals. A removal is a write too, and otherwise a disk that the outbox itself has
 * filled could never become empty again.
 */
final class ReservedSpace {
    private static final int BYTES = 512 * 1024;

    private final String path;

    ReservedSpace(String path) {
        this.path = path;
    }

    private boolean held() {
        var file = FilePath.get(path);
        return file.exists() && file.size() == BYTES;
    }

    /** Reserves the space if possible, and returns whether it is reserved. */
    boolean take() {
        if (held()) {
            return true;
        }
        try (var file = FilePath.get(path).open("rw")) {
            // Not only zeros, for which some disks allocate no space.
            var bytes = ByteBuffer.allocate(BYTES);
            for (int at = 0; at < BYTES; at += Integer.BYTES) {
                bytes.putInt(at, at * 0x9e3779b9);
            }
            while (bytes.hasRemaining()) {
                file.write(bytes, bytes.position());
            }
            return true;
        } catch (IOException full) {
            release();
            return false;
        }
    }

    /** Releases the space. */
    void release() {
        FilePath.get(path).delete();
    }
}
