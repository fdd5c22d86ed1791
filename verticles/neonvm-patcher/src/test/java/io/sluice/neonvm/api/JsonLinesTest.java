package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesTest {
    private static final String TEXT = "{\"a\":1}\n{\"b\":\"\u00e4\u20ac\"}\n{\"c\":3}\n";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 1000})
    void putsLinesTogetherHoweverTheyAreCut(int size) throws IOException {
        var bytes = TEXT.getBytes(StandardCharsets.UTF_8);
        var lines = new JsonLines();
        var read = new ArrayList<JsonNode>();
        for (int from = 0; from < bytes.length; from += size) {
            read.addAll(lines.take(List.of(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from)))));
        }

        assertThat(read).extracting(JsonNode::toString).containsExactly(TEXT.split("\n"));
    }

    @Test
    void refusesALineThatNeverEnds() {
        var lines = new JsonLines();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        lines.take(List.of(ByteBuffer.allocate(1 << 20)));
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("longer");
    }
}
