package io.sluice.billing.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * What stands at the end of a file where an append may have been interrupted.
 *
 * <p>Batches come in order, one at a time, and again until they are taken: so of all that is in a file only its end can
 * be of a batch that is not whole, and that is the batch which comes now, or one that was given up.
 */
final class FileEnd {
    private static final int BLOCK_BYTES = 1 << 13;
    private static final byte LINE_END = '\n';

    private final FileChannel file;

    FileEnd(FileChannel file) {
        this.file = file;
    }

    /** How many bytes of these lines, from their beginning, the file ends with, from the beginning of a line on. */
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

    /** The length of the file without a last line that has no end. */
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
            // On until all of it is here, or the file is shorter than it was.
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
