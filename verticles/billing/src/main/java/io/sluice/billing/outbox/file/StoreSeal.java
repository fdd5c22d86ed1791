package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.h2.store.fs.FilePath;

/**
 * What was last answered for, beside the store.
 *
 * <p>Written after each sync and not synced itself: after a kill it is exact; after a power failure it may be older,
 * and then the newest commit is merely trusted less than it could be.
 *
 * @param store which file it speaks of
 * @param commits how many commits of it were durable
 * @param distrust whether a sync failed since, so that what the system shows of the file may not be on the disk
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

    /** Empty where there is none, or none that can be read. */
    static Optional<StoreSeal> read(String path) throws IOException {
        var found = FilePath.get(path);
        if (!found.exists()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.allocate(LENGTH);
        try (var file = found.open("r")) {
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
                // Until it is whole, or ends.
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
