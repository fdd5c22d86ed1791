package io.sluice.vectors.agentscheduler;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends a request byte for byte as it was recorded, on a connection of its own. */
final class RawHttp {
    private static final int TIMEOUT_MS = 10_000;
    private static final String END = "\r\n";
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    private RawHttp() {}

    static RecordedExchange.Answer send(int port, RecordedExchange exchange) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            var request = new StringBuilder(exchange.method() + " " + exchange.path() + " HTTP/1.1" + END);
            exchange.headers().forEach(line -> request.append(line).append(END));
            request.append(END).append(exchange.body());
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
            return answer(socket.getInputStream(), !exchange.method().equals("HEAD"));
        }
    }

    private static RecordedExchange.Answer answer(InputStream in, boolean hasBody) throws IOException {
        var lines = List.of(head(in).split(END));
        int status = Integer.parseInt(lines.getFirst().split(" ")[1]);
        String length = RecordedExchange.header(lines, "Content-Length");
        byte[] body = hasBody ? in.readNBytes(Integer.parseInt(length)) : new byte[0];
        return new RecordedExchange.Answer(
                status, RecordedExchange.header(lines, "Content-Type"), new String(body, StandardCharsets.UTF_8));
    }

    private static String head(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith(END + END)) {
            int next = in.read();
            if (next < 0 || head.size() > HEAD_BYTES_MAX) {
                throw new EOFException("no complete reply: " + head.toString(StandardCharsets.ISO_8859_1));
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }
}
