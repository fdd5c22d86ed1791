package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.zip.CRC32C;
import org.h2.store.fs.FileBaseDefault;

/**
 * A channel that stores a CRC32C after each block, which also covers the block's position. It writes whole blocks only,
 * as MVStore does. It writes a header only after the data that the header may refer to is on the disk.
 */
final class CheckedChannel extends FileBaseDefault {
    static final int BLOCK = 4096;
    private static final int TRAILER = 8;
    static final int STORED = BLOCK + TRAILER;
    private static final int MARK = 0x536c7531;
    private static final int BLOCKS_AT_ONCE = 64;

    /**
     * The first blocks are MVStore's two headers. They have checksums of their own, and are shorter than a sector, so
     * that each is written completely or not at all. That is not so for a block with its checksum, and both headers are
     * written at once.
     */
    private static final int HEADERS = 2;

    private final FileChannel base;
    private final boolean strict;

    CheckedChannel(FileChannel base, boolean strict) {
        this.base = base;
        this.strict = strict;
    }

    /** Returns how many bytes can be read from a file of that size; an incomplete last block does not count. */
    static long payload(long stored) {
        return stored / STORED * BLOCK;
    }

    @Override
    public long size() throws IOException {
        return payload(base.size());
    }

    @Override
    public synchronized int read(ByteBuffer dst, long position) throws IOException {
        long size = size();
        if (position >= size) {
            return -1;
        }
        int wanted = (int) Math.min(Math.min(dst.remaining(), size - position), (long) BLOCK * (BLOCKS_AT_ONCE - 1));
        long first = position / BLOCK;
        int blocks = (int) ((position + wanted - 1) / BLOCK - first) + 1;
        var stored = load(first, blocks);
        int done = 0;
        for (int i = 0; i < blocks; i++) {
            check(stored, i, first + i);
            int from = i == 0 ? (int) (position % BLOCK) : 0;
            int length = Math.min(BLOCK - from, wanted - done);
            dst.put(stored.array(), i * STORED + from, length);
            done += length;
        }
        return done;
    }

    private ByteBuffer load(long first, int blocks) throws IOException {
        var stored = ByteBuffer.allocate(blocks * STORED);
        while (stored.hasRemaining()) {
            if (base.read(stored, first * STORED + stored.position()) < 0) {
                throw new IOException("block " + first + ": the file ended while it was read");
            }
        }
        return stored;
    }

    private void check(ByteBuffer stored, int index, long block) throws IOException {
        int trailer = index * STORED + BLOCK;
        if (strict
                && block >= HEADERS
                && (stored.getInt(trailer) != sum(stored.array(), index * STORED, block)
                        || stored.getInt(trailer + Integer.BYTES) != MARK)) {
            throw new IOException("block " + block + " is damaged: its checksum differs");
        }
    }

    private static int sum(byte[] bytes, int offset, long block) {
        var sum = new CRC32C();
        sum.update(bytes, offset, BLOCK);
        sum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, block));
        return (int) sum.getValue();
    }

    @Override
    public synchronized int write(ByteBuffer src, long position) throws IOException {
        if (position % BLOCK != 0 || src.remaining() % BLOCK != 0) {
            throw new IOException("only whole blocks are written, not " + src.remaining() + " bytes at " + position);
        }
        int written = src.remaining();
        if (position == 0) {
            // A header that names a chunk which is not on the disk yet would hide the chunk before it.
            force(false);
        }
        for (long block = position / BLOCK; src.hasRemaining(); block += BLOCKS_AT_ONCE) {
            store(src, block);
        }
        return written;
    }

    private void store(ByteBuffer src, long first) throws IOException {
        int blocks = Math.min(BLOCKS_AT_ONCE, src.remaining() / BLOCK);
        var stored = ByteBuffer.allocate(blocks * STORED);
        for (int i = 0; i < blocks; i++) {
            src.get(stored.array(), i * STORED, BLOCK);
            stored.putInt(i * STORED + BLOCK, sum(stored.array(), i * STORED, first + i));
            stored.putInt(i * STORED + BLOCK + Integer.BYTES, MARK);
        }
        long position = first * STORED;
        while (stored.hasRemaining()) {
            base.write(stored, position + stored.position());
        }
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        base.truncate(size / BLOCK * STORED);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        try {
            base.force(metaData);
        } catch (IOException failed) {
            throw new SyncFailedException(failed);
        }
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        base.close();
    }
}
