package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.h2.store.fs.FilePath;

/**
 * Room on the disk that is held for removing things: also a removal is written first, and a disk that the outbox itself
 * has filled would else never become empty again.
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

    /** Whether the room is held; it is taken where there is any. */
    boolean take() {
        if (held()) {
            return true;
        }
        try (var file = FilePath.get(path).open("rw")) {
            // Not only zeros, which some disks do not give room to.
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

    /** Gives the room to whoever needs it. */
    void release() {
        FilePath.get(path).delete();
    }
}
