package io.sluice.billing.sink.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Examines the end of a file where an append may have been interrupted.
 *
 * <p>Batches arrive in order, one at a time, and are repeated until they are accepted. So only the end of a file can
 * belong to an incomplete batch. That batch is either the one that arrives now, or one that was dropped.
 */
final class FileEnd {
    private static final int BLOCK_BYTES = 1 << 13;
    private static final byte LINE_END = '\n';

    private final FileChannel file;

    FileEnd(FileChannel file) {
        this.file = file;
    }

    /**
     * Returns how many bytes from the beginning of {@code lines} the file ends with. They start at the beginning of a
     * line.
     */
    int bytesThere(byte[] lines) throws IOException {
        long size = file.size();
        long from = Math.max(0, size - lines.length);
        var end = read(from, Math.toIntExact(size - from));
        for (int start = firstLine(end, from); start < end.length; start = nextLine(end, start)) {
            if (Arrays.equals(end, start, end.length, lines, 0, end.length - start)) {
                return end.length - start;
            }
        }
        return 0;
    }

    /** Returns the length of the file without a last line that has no line break. */
    long wholeLines() throws IOException {
        long to = file.size();
        while (to > 0) {
            long from = Math.max(0, to - BLOCK_BYTES);
            var block = read(from, Math.toIntExact(to - from));
            for (int i = block.length - 1; i >= 0; i--) {
                if (block[i] == LINE_END) {
                    return from + i + 1;
                }
            }
            to = from;
        }
        return 0;
    }

    private int firstLine(byte[] end, long from) throws IOException {
        return from == 0 || read(from - 1, 1)[0] == LINE_END ? 0 : nextLine(end, 0);
    }

    private static int nextLine(byte[] end, int start) {
        int at = start;
        while (at < end.length && end[at] != LINE_END) {
            at++;
        }
        return at + 1;
    }

    private byte[] read(long from, int length) throws IOException {
        var buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) >= 0) {
            // Reads until the buffer is full, or the file has become shorter.
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
