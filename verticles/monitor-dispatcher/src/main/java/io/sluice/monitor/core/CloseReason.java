package io.sluice.monitor.core;

import java.nio.charset.StandardCharsets;

/** Why the dispatcher closes a websocket: a code, and a reason that is cut so that it fits into a close frame. */
public record CloseReason(int code, String reason) {
    /** An ordinary end. */
    public static final int NORMAL = 1000;

    /** An invalid handshake. */
    public static final int PROTOCOL_ERROR = 1002;

    /** Any other failure. */
    public static final int INTERNAL_ERROR = 1011;

    /** A close frame's payload has at most 125 bytes; two of them are the code. */
    private static final int BYTES_MAX = 123;

    public CloseReason {
        reason = cut(reason);
    }

    private static String cut(String text) {
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int next = text.offsetByCodePoints(end, 1);
            bytes += text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > BYTES_MAX) {
                return text.substring(0, end);
            }
            end = next;
        }
        return text;
    }
}
