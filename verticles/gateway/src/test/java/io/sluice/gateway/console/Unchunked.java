package io.sluice.gateway.console;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** A chunked HTTP reply without the sizes between its chunks; its head is passed on as it is. */
final class Unchunked extends InputStream {
    private final InputStream in;
    private boolean head = true;
    private int lineBreaks;
    private int left;

    Unchunked(Socket socket) throws IOException {
        in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (head) {
            int next = in.read();
            lineBreaks = next == '\n' ? lineBreaks + 1 : next == '\r' ? lineBreaks : 0;
            head = lineBreaks < 2;
            bytes[offset] = (byte) next;
            return next < 0 ? -1 : 1;
        }
        if (left == 0) {
            left = size();
            if (left == 0) {
                return -1;
            }
        }
        int got = in.read(bytes, offset, Math.min(length, left));
        left -= Math.max(0, got);
        if (left == 0) {
            in.skipNBytes(2);
        }
        return got;
    }

    private int size() throws IOException {
        var digits = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return 0;
            }
            digits.append((char) next);
        }
        return Integer.parseInt(digits.toString().strip(), 16);
    }
}
