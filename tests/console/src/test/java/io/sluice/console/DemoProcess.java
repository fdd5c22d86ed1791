package io.sluice.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.shell.LoopbackPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The demo of the distribution as a process of its own: a real console, with the lab's fleet and its bills. */
final class DemoProcess implements AutoCloseable {
    private static final Path START_SCRIPT =
            Path.of("..", "..", "verticles", "launcher", "target", "sluice", "bin", "sluice");
    private static final Pattern FIRST_LINE = Pattern.compile("console is at (http://\\S+/)\\. Bills are in (\\S+)\\.");
    private static final int SECONDS = 900;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Process process;
    private final String url;
    private final Path bills;

    private DemoProcess(Process process, String url, Path bills) {
        this.process = process;
        this.url = url;
        this.bills = bills;
    }

    /** Starts it on free ports; its output is read on, so that it never blocks. */
    static DemoProcess start(Path folder) throws IOException {
        var ports = List.of(
                "gateway.ops.port",
                "gateway.agent.port",
                "gateway.dump.port",
                "gateway.console.port",
                "gateway.vmMetrics.port",
                "lab.apiPort");
        var command = Stream.concat(
                        Stream.of(
                                START_SCRIPT.toString(),
                                "demo",
                                "--duration",
                                SECONDS + "s",
                                // The demo's scheduler reads this one from the config.
                                "-Dsluice.gateway.extender.port=" + LoopbackPorts.next()),
                        ports.stream().map(port -> "-Dsluice." + port + "=0"))
                .toList();
        var process = new ProcessBuilder(command)
                .redirectError(folder.resolve("demo.err").toFile())
                .start();
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var found = FIRST_LINE.matcher(line);
            if (found.find()) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(read -> {}));
                return new DemoProcess(process, found.group(1), Path.of(found.group(2)));
            }
        }
        end(process);
        throw new AssertionError("the demo ended early: " + Files.readString(folder.resolve("demo.err")));
    }

    String url() {
        return url;
    }

    /** The vCPU-seconds in the files of bills that an endpoint pays. */
    long billed(String endpoint) {
        try (Stream<Path> files = Files.list(bills)) {
            return files.filter(file -> file.getFileName().toString().startsWith("usage"))
                    .flatMap(DemoProcess::events)
                    .filter(event -> event.path("endpoint_id").asText().equals(endpoint)
                            && event.path("metric").asText().equals("effective_compute_seconds"))
                    .mapToLong(event -> event.path("value").asLong())
                    .sum();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<JsonNode> events(Path file) {
        try {
            var text = Files.readString(file);
            // The last line may be half written.
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(DemoProcess::event);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static JsonNode event(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException noJson) {
            throw new UncheckedIOException(line, noJson);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        end(process);
    }
}
