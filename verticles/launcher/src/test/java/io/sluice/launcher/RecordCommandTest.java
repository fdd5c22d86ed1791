package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: production's decisions are made again, one by one, from what was recorded of it. Method: the fleet of the demo
 * in this JVM, with a policy beside the one in force; {@code record} over HTTP; {@code replay} of its files.
 */
class RecordCommandTest {
    private static final Path DEMO = Path.of("../../config/demo.yaml");
    private static final String SHADOW = "agent: {shadowPolicy: {name: follows, kind: demand, hold: 5s}}";

    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    private Settings demo(int console) throws IOException {
        var tree = YamlText.parse(Files.readString(DEMO), "demo.yaml");
        var own = YamlText.parse(
                """
                %s
                gateway:
                  ops: {port: 0}
                  agent: {port: %d}
                  extender: {port: 0}
                  dump: {port: 0}
                  vmMetrics: {port: 0}
                  console: {port: %d}
                billing: {directory: %s}
                """.formatted(SHADOW, LoopbackPorts.next(), console, folder.resolve("bills")), "test.yaml");
        own.properties()
                .forEach(section -> tree.withObject("/" + section.getKey()).setAll((ObjectNode) section.getValue()));
        return Settings.read(new ConfigSources(tree, Map.of(), Map.of()));
    }

    @Test
    void theDecisionsOfTheDemoAreMadeAgainOneByOne() throws Exception {
        int console = LoopbackPorts.next();
        var recording = folder.resolve("recording");
        var runtime = RoleRuntime.start(demo(console), Optional.empty());
        try {
            assertThat(output.run(
                            "record",
                            "--url",
                            "http://127.0.0.1:" + console,
                            "--out",
                            recording.toString(),
                            "--for",
                            "12s"))
                    .as(output::text)
                    .isZero();
        } finally {
            runtime.stop();
        }
        var report = replay(recording);
        var compared = report.path("recording").path("compared");
        assertThat(compared.path("EQUAL").asInt()).as(output.text()).isGreaterThan(100);
        assertThat(different(compared)).as(output.text()).isZero();
        assertThat(report.path("recording").path("sizes").path("UNEXPLAINED").asInt())
                .as(output.text())
                .isZero();
        assertThat(report.path("recording").path("shadow").path("steps").asInt())
                .isPositive();
        assertThat(report.path("sums")).as("all policies on the recorded load").hasSize(8);
        assertThat(report.path("onNodes"))
                .as("two policies on the recorded nodes")
                .hasSize(4);

        assertThat(different(replay(changed(recording)).path("recording").path("compared")))
                .as("a recording with another load is not what production decided")
                .isPositive();
    }

    private JsonNode replay(Path recording) throws IOException {
        var out = folder.resolve(recording.getFileName() + "-report");
        assertThat(output.run(
                        "replay", "--trace", recording.toString(), "--nodes", "recorded", "--out", out.toString()))
                .as(output::text)
                .isZero();
        return new ObjectMapper().readTree(out.resolve("report.json").toFile());
    }

    private static int different(JsonNode compared) {
        return compared.path("UNEXPLAINED").asInt()
                + compared.path("DESCRIBED_MIDWAY").asInt();
    }

    /** The same recording with other load averages. */
    private Path changed(Path recording) throws IOException {
        var other = Files.createDirectories(folder.resolve("changed"));
        try (var files = Files.list(recording)) {
            for (var file : files.toList()) {
                try (var in = new GZIPInputStream(Files.newInputStream(file));
                        var to = new GZIPOutputStream(Files.newOutputStream(other.resolve(file.getFileName())))) {
                    var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    to.write(text.replaceAll("\"load([15])\":", "\"load$1\":7").getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return other;
    }
}
