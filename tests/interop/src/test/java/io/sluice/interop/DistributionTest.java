package io.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what {@code mvn package} makes can be started, used and ended without anything else. Method: real processes on
 * loopback, ended in each way in which a process can be ended.
 */
class DistributionTest {
    /** Modules are built with their own folder as the working directory. */
    private static final Path SLUICE = Path.of("..", "..", "verticles", "launcher", "target", "sluice")
            .toAbsolutePath()
            .normalize();

    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final Duration SCALED_MAX = Duration.ofSeconds(180);
    private static final Duration END_MAX = Duration.ofSeconds(120);
    private static final Pattern BILLS = Pattern.compile("Bills are in (\\S+)\\.");
    private static final Pattern CONFIG = Pattern.compile("--config (config/\\S+)");

    @TempDir
    private Path folder;

    private final List<ProcessHandle> started = new ArrayList<>();

    @BeforeEach
    void needsThePackage() {
        assumeThat(SLUICE.resolve("bin").resolve("sluice"))
                .as("the distribution, which mvn package makes")
                .exists();
    }

    @AfterEach
    void leavesNothing() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void hasTheConfigsThatTheReadmeStarts() throws IOException {
        var readme = Files.readString(Path.of("..", "..", "README.md"));

        assertThat(CONFIG.matcher(readme).results().map(found -> SLUICE.resolve(found.group(1))))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file).isRegularFile());
    }

    @Test
    void theDemoEndsByItselfWithASummary() throws Exception {
        int port = LoopbackPorts.next();
        // The age of the process counts, so most of this may pass while it starts.
        var demo = start(List.of(sluice(), "demo", "--duration", "60s", "-Dsluice.gateway.ops.port=" + port));

        assertThat(demo.waitFor(300, TimeUnit.SECONDS)).isTrue();

        assertThat(output()).contains("\nscale-ups: ", "\nreaction p50 ms: ", "\nused: ");
        assertThat(demo.exitValue()).as(output()).isZero();
        assertThat(answers(port)).isFalse();
    }

    @Test
    void theDemoEndsWithASummaryWhereItIsInterrupted() throws Exception {
        int port = LoopbackPorts.next();
        var demo = startInterruptibleDemo("-Dsluice.gateway.ops.port=" + port);
        awaitListener(port);

        interrupt(demo);

        assertThat(output()).contains("\nscale-ups: ");
        assertThat(answers(port)).isFalse();
    }

    @Test
    void theDemosPodIsScaledInPlaceAndBilled() throws Exception {
        int console = LoopbackPorts.next();
        var url = "--url=http://127.0.0.1:" + console;
        var demo = startInterruptibleDemo(
                "-Dsluice.gateway.console.port=" + console, "-Dsluice.gateway.ops.port=" + LoopbackPorts.next());
        awaitListener(console);

        await().atMost(SCALED_MAX)
                .untilAsserted(() -> assertThat(printed("why", "vm", "redis-0", url))
                        .contains("its driver is pod", "scaled up", "scaled down"));
        await().atMost(SCALED_MAX)
                .untilAsserted(() -> assertThat(printed("top", "--view=vms", url))
                        .containsPattern("default/redis-0 +node-a +pod +\\d"));
        interrupt(demo);

        assertThat(demo.exitValue()).as(output()).isZero();
        var bills = BILLS.matcher(output());
        assertThat(bills.find()).isTrue();
        assertThat(printed("bill", "--directory=" + bills.group(1)))
                .containsPattern("default/redis-0 +pod +ep-redis-0 +[1-9]")
                .containsPattern("default/feeds +neonvm +ep-feeds ");
    }

    @Test
    void theDemoEndsWithTheProcessThatStartedItHoweverThatEnds() throws Exception {
        int port = LoopbackPorts.next();
        // A shell with a further command does not replace itself by the demo.
        var parent = start(
                List.of("sh", "-c", sluice() + " demo --end-with-parent -Dsluice.gateway.ops.port=" + port + "; true"));
        awaitReady(port);
        var demo = parent.descendants().toList();
        started.addAll(demo);

        parent.destroyForcibly();

        await().atMost(END_MAX).until(() -> demo.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(demo).isNotEmpty();
        assertThat(answers(port)).isFalse();
    }

    @Test
    void theDemoServesItsListeners() throws Exception {
        int ops = LoopbackPorts.next();
        int agents = LoopbackPorts.next();
        start(List.of(
                sluice(),
                "demo",
                "-Dsluice.gateway.ops.port=" + ops,
                "-Dsluice.gateway.agent.port=" + agents,
                // On a busy machine the event loop is late, and requests would be refused for that.
                "-Dsluice.gateway.agent.lagMax=30s"));
        awaitReady(ops);

        assertThat(send(ops, "/livez", "").statusCode()).isEqualTo(200);
        assertThat(send(ops, "/metrics", "").body()).contains("sluice_ledger_", "sluice_agent_", "sluice_monitor_");
        assertThat(send(agents, "/", "{").statusCode()).isEqualTo(400);
        var unknown = send(agents, "/", """
            {"protoVersion":7,"pod":{"namespace":"default","name":"nobody"},"lastPermit":null,
            "computeUnit":{"vCPUs":"250m","mem":"1Gi"},"resources":{"vCPUs":"250m","mem":"1Gi"}}\
            """);
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).isEqualTo("pod not found");
    }

    @Test
    void listeningForOthersWithoutACredentialIsRefusedByTheNameOfItsKey() throws Exception {
        var refused = start(List.of(sluice(), "demo", "-Dsluice.gateway.agent.host=0.0.0.0"));

        assertThat(refused.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(refused.exitValue()).isEqualTo(2);
        assertThat(output()).contains("gateway.agent.insecure");
    }

    @Test
    void runNeedsNothingOfTheLab() throws Exception {
        int port = LoopbackPorts.next();
        var copy = copyWithoutLab();
        var config = Files.writeString(
                folder.resolve("ledger.yaml"), "roles: [ledger]\ngateway: {ops: {port: " + port + "}}\n");
        var run =
                start(List.of(copy.resolve("bin").resolve("sluice").toString(), "run", "--config", config.toString()));
        awaitListener(port);

        run.destroy();

        assertThat(run.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).as(output()).isZero();
        assertThat(output()).contains("\"message\":\"Started.\"", "\"message\":\"Stopped.\"");
    }

    @Test
    void aWrongConfigIsRefusedBeforeAnythingStarts() throws Exception {
        var config = Files.writeString(folder.resolve("wrong.yaml"), "agent: {scrapePeriode: 1s}\nledger: 7\n");
        var run = start(List.of(sluice(), "run", "--config", config.toString()));

        assertThat(run.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(run.exitValue()).isEqualTo(2);
        assertThat(output().lines())
                .containsExactly(
                        "sluice: ledger must be a section of keys, not the number 7.",
                        "sluice: agent.scrapePeriode is no config key; did you mean agent.scrapePeriod?");
    }

    /** A background process of a shell ignores interrupts, and this test may be one. */
    private Process startInterruptibleDemo(String... options) throws IOException {
        var command = new ArrayList<>(List.of("env", "--default-signal=INT", sluice(), "demo"));
        command.addAll(List.of(options));
        return start(command);
    }

    /** Interrupts a demo that has started: while it starts, an interrupt ends it without a summary. */
    private void interrupt(Process demo) throws Exception {
        await().atMost(START_MAX).until(() -> output().contains("Ctrl-C ends it."));
        new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor();
        assertThat(demo.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** What a command prints. */
    private static String printed(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(sluice()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String sluice() {
        return SLUICE.resolve("bin").resolve("sluice").toString();
    }

    private Process start(List<String> command) throws IOException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        started.add(process.toHandle());
        return process;
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    private Path copyWithoutLab() throws IOException {
        var copy = folder.resolve("sluice");
        try (var files = Files.walk(SLUICE)) {
            for (var file : files.toList()) {
                if (!file.getFileName().toString().startsWith("sluice-lab-")) {
                    Files.copy(file, copy.resolve(SLUICE.relativize(file)));
                }
            }
        }
        return copy;
    }

    /** A GET, or a POST if there is a body. */
    private static HttpResponse<String> send(int port, String path, String body) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + port + path);
        var request = HttpRequest.newBuilder(uri).timeout(END_MAX);
        var method = body.isEmpty() ? request.GET() : request.POST(BodyPublishers.ofString(body));
        try (var client = HttpClient.newHttpClient()) {
            return client.send(method.build(), BodyHandlers.ofString());
        }
    }

    private static void awaitListener(int port) {
        await().atMost(START_MAX).until(() -> answers(port));
    }

    private static void awaitReady(int port) {
        awaitListener(port);
        await().atMost(START_MAX).until(() -> send(port, "/readyz", "").statusCode() == 200);
    }

    private static boolean answers(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException refused) {
            return false;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
