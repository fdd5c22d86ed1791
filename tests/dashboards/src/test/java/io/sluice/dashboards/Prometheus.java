package io.sluice.dashboards;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A real Prometheus that scrapes listeners on loopback every two seconds: Debian's, or with {@code -Dprometheus=FOLDER}
 * the programs {@code prometheus} and {@code promtool} there.
 */
final class Prometheus implements AutoCloseable {
    private static final Path FOLDER = Path.of(System.getProperty("prometheus", "/usr/bin"));
    private static final Path BINARY = FOLDER.resolve("prometheus");
    private static final Path PROMTOOL = FOLDER.resolve("promtool");
    private static final Duration START_MAX = Duration.ofSeconds(180);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final URI url;

    private Prometheus(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    URI url() {
        return url;
    }

    static boolean isInstalled() {
        return Files.isExecutable(BINARY) && Files.isExecutable(PROMTOOL);
    }

    /** Starts it with the {@code host:port} of each target. */
    static Prometheus start(Path folder, List<String> targets, List<Path> rules) throws IOException {
        var config = Files.writeString(folder.resolve("prometheus.yml"), """
            global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
            rule_files: %s
            scrape_configs:
              - job_name: sluice
                static_configs:
                  - targets: %s
            """.formatted(
                        rules.stream()
                                .map(file -> "\"" + file.toAbsolutePath().normalize() + '"')
                                .toList(),
                        targets.stream().map(t -> '"' + t + '"').toList()));
        int port = LoopbackPorts.next();
        var process = new ProcessBuilder(
                        BINARY.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--enable-feature=exemplar-storage",
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        var started = new Prometheus(process, URI.create("http://127.0.0.1:" + port + "/"));
        await("Prometheus").atMost(START_MAX).until(started::isReady);
        return started;
    }

    /** The output of {@code promtool} if it rejects a file of rules, or of tests of rules. */
    static Optional<String> complaint(String verb, String noun, Path file) throws IOException, InterruptedException {
        var tool = new ProcessBuilder(PROMTOOL.toString(), verb, noun, file.toString())
                .redirectErrorStream(true)
                .start();
        var reported = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return tool.waitFor() == 0 ? Optional.empty() : Optional.of(reported);
    }

    /** The samples of a query at this time. */
    JsonNode query(String query) {
        var answer = get("api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
        if (!answer.path("status").asText().equals("success")) {
            throw new AssertionError(query + " got the reply " + answer);
        }
        return answer.path("data").path("result");
    }

    /** The exemplars of a metric, by series. */
    JsonNode exemplars(String metric) {
        return get("api/v1/query_exemplars?query=" + metric + "&start=0&end="
                        + (Instant.now().getEpochSecond() + 1))
                .path("data");
    }

    /** The rules that it evaluates, of all groups. */
    List<JsonNode> rules() {
        var rules = new ArrayList<JsonNode>();
        get("api/v1/rules")
                .path("data")
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    /** The names of the alerts that fire. */
    Set<String> firing() {
        var firing = new TreeSet<String>();
        query("ALERTS{alertstate=\"firing\"}")
                .forEach(sample ->
                        firing.add(sample.path("metric").path("alertname").asText()));
        return firing;
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("Prometheus ended with " + process.exitValue());
        }
        try {
            var request = HttpRequest.newBuilder(url.resolve("-/ready"))
                    .timeout(ANSWER_MAX)
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private JsonNode get(String path) {
        try {
            var request = HttpRequest.newBuilder(url.resolve(path))
                    .timeout(ANSWER_MAX)
                    .build();
            return json.readTree(client.send(request, BodyHandlers.ofString()).body());
        } catch (IOException broken) {
            throw new AssertionError(path, broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, interrupted);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
