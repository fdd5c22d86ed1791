package io.sluice.billing.sink.file;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the lines of a file. At most one line is in memory, up to a bound. */
final class LineSource {
    private static final int BLOCK_BYTES = 1 << 16;
    private static final byte LINE_END = '\n';

    private final InputStream file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private byte[] line = new byte[1 << 10];
    private final int bytesMax;
    private int at;
    private int filled;
    private int length;
    private boolean ended;
    private boolean cut;

    LineSource(InputStream file, int bytesMax) {
        this.file = file;
        this.bytesMax = bytesMax;
    }

    /** Goes to the next line; false after the last. */
    boolean next() throws IOException {
        length = 0;
        ended = false;
        cut = false;
        boolean any = false;
        while (!ended && available()) {
            any = true;
            takeUntilLineEnd();
        }
        return any;
    }

    /** Returns the line without its line break. */
    byte[] bytes() {
        return Arrays.copyOf(line, length);
    }

    /** Whether the line has a line break; the last line may have none. */
    boolean hasEnd() {
        return ended;
    }

    /** Whether the line is longer than the bound. */
    boolean isTooLong() {
        return cut;
    }

    private boolean available() throws IOException {
        if (at == filled) {
            filled = Math.max(0, file.read(block));
            at = 0;
        }
        return at < filled;
    }

    private void takeUntilLineEnd() {
        int end = at;
        while (end < filled && block[end] != LINE_END) {
            end++;
        }
        keep(at, end - at);
        ended = end < filled;
        at = ended ? end + 1 : end;
    }

    private void keep(int from, int bytes) {
        int kept = Math.min(bytes, bytesMax - length);
        cut |= kept < bytes;
        if (length + kept > line.length) {
            line = Arrays.copyOf(line, Math.min(bytesMax, Math.max(length + kept, 2 * line.length)));
        }
        System.arraycopy(block, from, line, length, kept);
        length += kept;
    }
}
