package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.h2.store.fs.FilePath;

/**
 * A record beside the store of how many commits are durable.
 *
 * <p>Written after each sync and not synced itself. After a kill it is exact. After a power failure it may be older;
 * then a damaged newest commit is dropped instead of rescued.
 *
 * @param store id of the file
 * @param commits number of its durable commits
 * @param distrust whether a sync failed since, so that what can be read of the file may not be on the disk
 */
record StoreSeal(long store, long commits, boolean distrust) {
    private static final long MAGIC = 0x536c756963653031L;
    private static final int LENGTH = 3 * Long.BYTES + 2 * Integer.BYTES;

    void write(String path) throws IOException {
        var bytes = ByteBuffer.allocate(LENGTH)
                .putLong(MAGIC)
                .putLong(store)
                .putLong(commits)
                .putInt(distrust ? 1 : 0);
        bytes.putInt(sum(bytes.array())).flip();
        try (var file = FilePath.get(path).open("rw")) {
            while (bytes.hasRemaining()) {
                file.write(bytes, bytes.position());
            }
        }
    }

    /** Returns the seal; empty where there is none, or it cannot be read. */
    static Optional<StoreSeal> read(String path) throws IOException {
        var found = FilePath.get(path);
        if (!found.exists()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.allocate(LENGTH);
        try (var file = found.open("r")) {
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
                // Reads until the buffer is full, or the file ends.
            }
        }
        return !bytes.hasRemaining()
                        && bytes.getLong(0) == MAGIC
                        && bytes.getInt(LENGTH - Integer.BYTES) == sum(bytes.array())
                ? Optional.of(new StoreSeal(bytes.getLong(8), bytes.getLong(16), bytes.getInt(24) != 0))
                : Optional.empty();
    }

    private static int sum(byte[] bytes) {
        var sum = new CRC32C();
        sum.update(bytes, 0, LENGTH - Integer.BYTES);
        return (int) sum.getValue();
    }
}
