package io.sluice.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {
    private static final Path SHIPPED = Path.of("src/main/resources/vectors/ledger");
    private static final String NODE = """
        {"h":0,"i":0,"op":"node","total":[10000,100],"fraction":0.8,"watermark":[8000,80],\
        "node":{"reserved":[0,0],"buffer":[0,0],"pressure":[0,0],"accounted":[0,0]},"tooMuch":false,"clear":true,\
        "somethingNew":{"x":1}}
        """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path ledger;

    @BeforeEach
    void kind() throws IOException {
        ledger = Files.createDirectory(folder.resolve("ledger"));
    }

    @Test
    void countsWhatIsEqualAndNamesWhatIsNotSupported() throws IOException {
        Files.copy(SHIPPED.resolve("table.jsonl.gz"), ledger.resolve("table.jsonl.gz"));
        Files.copy(SHIPPED.resolve("choose.jsonl.gz"), ledger.resolve("choose.jsonl.gz"));
        Files.writeString(ledger.resolve("strange.jsonl"), "{\"i\":0}");
        Files.writeString(Files.createDirectory(folder.resolve("billing")).resolve("x.json"), "{}");

        assertThat(check(folder)).isZero();

        assertThat(out().lines())
                .containsExactly(
                        "billing: not yet supported",
                        "ledger: 441 commands, 441 equal, 0 different",
                        "  10 more were played and not compared: ours differs there on purpose",
                        "  ledger/strange.jsonl: not yet supported");
    }

    @Test
    void playsOneKindsOwnFolderWhateverItIsCalled() throws IOException {
        Files.copy(SHIPPED.resolve("table.jsonl.gz"), ledger.resolve("other-name.jsonl.gz"));
        assertThat(check(ledger)).isZero();

        var renamed = Files.move(ledger, folder.resolve("recordings"));
        assertThat(check(renamed)).isZero();
        assertThat(out()).contains("ledger: 49 commands, 49 equal, 0 different");
    }

    /** Recordings of monitors are in groups, one folder below their kind's, beside a file that is no recording. */
    @Test
    void findsRecordingsThatLieInGroups() throws IOException {
        var monitor = Files.createDirectory(folder.resolve("monitor"));
        var group = Files.createDirectory(monitor.resolve("http"));
        var recording = Path.of("src/main/resources/vectors/monitor/http/post.jsonl.gz");
        Files.copy(recording, group.resolve("post.jsonl.gz"));
        Files.writeString(monitor.resolve("timing.json"), "{}");

        assertThat(check(folder)).isZero();
        assertThat(out().lines())
                .containsExactly("ledger: not yet supported", "monitor: 1 sessions, 1 equal, 0 different");
        out.reset();
        assertThat(check(monitor)).isZero();
        assertThat(out().lines()).containsExactly("monitor: 1 sessions, 1 equal, 0 different");
    }

    @Test
    void ignoresUnknownKeys() throws IOException {
        Files.writeString(ledger.resolve("plain.jsonl"), NODE);

        assertThat(check(folder)).isZero();
        assertThat(out()).contains("ledger: 1 commands, 1 equal, 0 different");
    }

    @Test
    void showsDifferencesInFullAndOnlyTheFirstTen() throws IOException {
        var wrong = NODE.replace("\"reserved\":[0,0]", "\"reserved\":[1,0]");
        Files.writeString(ledger.resolve("plain.jsonl"), wrong.repeat(12));

        assertThat(check(folder)).isEqualTo(1);

        assertThat(out()).contains("ledger: 12 commands, 0 equal, 12 different");
        assertThat(out().lines().filter(line -> line.contains("expected")))
                .hasSize(10)
                .contains("  plain.jsonl h=0 i=0 node.reserved: expected [1,0], got [0,0]");
    }

    @Test
    void findingNothingIsNoSuccess() {
        assertThat(check(folder)).isEqualTo(1);
        assertThat(err()).contains("No recording that can be played");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        assertThat(check(folder.resolve("nowhere"))).isEqualTo(2);
        assertThat(err()).contains("Not a folder").contains("nowhere");
    }

    @Test
    void aMalformedFileIsNamedWithItsLine() throws IOException {
        Files.writeString(ledger.resolve("plain.jsonl"), NODE + "{\"h\":0,");
        assertThat(check(folder)).isEqualTo(2);
        assertThat(err()).contains("plain.jsonl line 2").contains("not JSON");

        Files.writeString(ledger.resolve("plain.jsonl"), NODE + "{\"h\":0,\"i\":1,\"op\":\"fly\"}");
        assertThat(check(folder)).isEqualTo(2);
        assertThat(err()).contains("no such op: fly");

        Files.writeString(ledger.resolve("plain.jsonl"), NODE.replace("[10000,100]", "[10000,-1]"));
        assertThat(check(folder)).isEqualTo(2);
        assertThat(err()).contains("`total`");

        Files.delete(ledger.resolve("plain.jsonl"));
        Files.writeString(ledger.resolve("plain.jsonl.gz"), "not compressed");
        assertThat(check(folder)).isEqualTo(2);
        assertThat(err()).contains("plain.jsonl.gz");
    }

    private int check(Path path) {
        return Check.run(new String[] {path.toString()}, print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
