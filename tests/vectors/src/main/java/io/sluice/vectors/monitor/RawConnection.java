package io.sluice.vectors.monitor;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;

/** The monitor's end of one TCP connection: an HTTP head, then frames, read and written byte by byte. */
final class RawConnection {
    static final int TEXT = 1;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int OPCODE = 0x0f;
    private static final int TWO_BYTES = 126;
    private static final int EIGHT_BYTES = 127;
    private static final int FRAME_BYTES_MAX = 1 << 20;
    private static final int HEAD_BYTES_MAX = 1 << 14;
    private static final String END = "\r\n";
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key:\\s*(\\S+)");

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
        socket.setTcpNoDelay(true);
    }

    /** One frame that the agent sent. */
    record Frame(int opcode, byte[] payload, boolean masked) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 if it has none. */
        int code() {
            return payload.length < 2 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xffff;
        }
    }

    String readHead() throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith(END + END)) {
            int next = in.read();
            if (next < 0 || head.size() > HEAD_BYTES_MAX) {
                throw new EOFException("no whole request");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    void upgrade(String head) throws IOException {
        var key = KEY.matcher(head);
        if (!key.find()) {
            throw new IOException("a request without a key: " + head);
        }
        raw("HTTP/1.1 101 Switching Protocols" + END + "connection: upgrade" + END + "upgrade: websocket" + END
                + "sec-websocket-accept: " + accept(key.group(1)) + END + END);
    }

    private static String accept(String key) {
        try {
            var digest = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder().encodeToString(digest.digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Sends a reply that is no upgrade; the connection stays. */
    void refuse(Step answer) throws IOException {
        var body = answer.json().path("body").asText();
        var text = new StringBuilder(answer.text()).append(END);
        answer.json().path("headers").properties().forEach(header -> {
            if (!header.getKey().equals("content-length")) {
                text.append(header.getKey())
                        .append(": ")
                        .append(header.getValue().asText())
                        .append(END);
            }
        });
        text.append("content-length: ").append(body.length()).append(END).append(END);
        raw(text.append(body).toString());
    }

    void raw(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    void text(String text) throws IOException {
        frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    void frame(int opcode, byte[] payload) throws IOException {
        var frame = ByteBuffer.allocate(payload.length + 10).put((byte) (FINAL | opcode));
        if (payload.length < TWO_BYTES) {
            frame.put((byte) payload.length);
        } else if (payload.length <= 0xffff) {
            frame.put((byte) TWO_BYTES).putShort((short) payload.length);
        } else {
            frame.put((byte) EIGHT_BYTES).putLong(payload.length);
        }
        frame.put(payload);
        out.write(frame.array(), 0, frame.position());
        out.flush();
    }

    Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & LENGTH;
        if (length == TWO_BYTES) {
            length = in.readUnsignedShort();
        } else if (length == EIGHT_BYTES) {
            length = in.readLong();
        }
        if (length < 0 || length > FRAME_BYTES_MAX) {
            throw new IOException("a frame of " + length + " bytes");
        }
        boolean masked = (second & MASKED) != 0;
        byte[] mask = masked ? in.readNBytes(4) : new byte[4];
        byte[] payload = in.readNBytes((int) length);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return new Frame(first & OPCODE, payload, masked);
    }

    /** Ends TCP with FIN. */
    void end() throws IOException {
        socket.close();
    }

    /** Ends TCP with RST. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
