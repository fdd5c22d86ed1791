package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class YamlTextTest {
    @Test
    void readsKeysAndTakesAnEmptyTextForNone() {
        assertThat(YamlText.parse("a: {b: 1}", "x.yaml").at("/a/b").intValue()).isEqualTo(1);
        assertThat(YamlText.parse("", "x.yaml").isEmpty()).isTrue();
        assertThat(YamlText.parse("# nothing yet\n", "x.yaml").isEmpty()).isTrue();
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("a: 1\na: 2\n", "x.yaml, line 2, column \\d+: Duplicate field 'a'\\."),
                Arguments.of("a: {b: 1, b: 2}\n", "x.yaml, line 1, column \\d+: Duplicate field 'b'\\."),
                Arguments.of("a: 1\n---\nb: 2\n", "x.yaml holds more than one YAML document\\."),
                Arguments.of("a: &x 1\nb: *x\n", "x.yaml, line 2: aliases are not supported; write the value out\\."),
                Arguments.of("- a\n", "x.yaml must hold keys with values, not a list or a single word\\."),
                Arguments.of("word", "x.yaml must hold keys with values, not a list or a single word\\."),
                Arguments.of("a: [1, 2\n", "x.yaml is no YAML: .+ line 2.+\\."),
                Arguments.of("a:\n\t- b\n", "x.yaml is no YAML: .+TAB.+ line 2.+\\."),
                Arguments.of("a: " + "[".repeat(20_000), "x.yaml.*: .+\\."));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> YamlText.parse(text, "x.yaml"))
                .isInstanceOf(ConfigException.class)
                .message()
                .matches(sentence);
    }

    @Test
    void refusesAFileThatIsMissingTooLargeOrNoText(@TempDir Path folder) throws IOException {
        var large = Files.writeString(folder.resolve("large.yaml"), "#".repeat(YamlText.BYTES_MAX + 1));
        var binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

        assertThatThrownBy(() -> YamlText.read(folder.resolve("none.yaml"))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> YamlText.read(folder)).hasMessageContaining("is no plain file");
        assertThatThrownBy(() -> YamlText.read(large)).hasMessageContaining("has more than 1048576 bytes");
        assertThatThrownBy(() -> YamlText.read(binary)).hasMessageContaining("is not text in UTF-8");
    }
}
