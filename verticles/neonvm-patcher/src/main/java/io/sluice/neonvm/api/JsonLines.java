package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Assembles lines of JSON from pieces of a stream. For one thread at a time. */
final class JsonLines {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int LINE_BYTES_MAX = 16 << 20;

    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /**
     * Takes the next pieces and returns the lines that they complete.
     *
     * @throws IOException if a line is not JSON or longer than the allowed maximum
     */
    List<JsonNode> take(List<ByteBuffer> pieces) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var piece : pieces) {
            var bytes = new byte[piece.remaining()];
            piece.get(bytes);
            int from = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    begun.write(bytes, from, i - from);
                    lines.add(MAPPER.readTree(begun.toByteArray()));
                    begun.reset();
                    from = i + 1;
                }
            }
            begun.write(bytes, from, bytes.length - from);
        }
        if (begun.size() > LINE_BYTES_MAX) {
            throw new IOException("a line is longer than " + LINE_BYTES_MAX + " bytes");
        }
        return lines;
    }
}
