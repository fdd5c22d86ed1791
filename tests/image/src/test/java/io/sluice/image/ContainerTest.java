package io.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the image runs as Kubernetes would run it: its own libraries and Java, a user without rights, nothing writable
 * but /tmp. Method: its file system is unpacked and processes are started in it, one of them beside the lab's fleet,
 * which the distribution runs outside of it.
 */
@OnTheImage
class ContainerTest {
    private static final Path SLUICE = Path.of("..", "..", "verticles", "launcher", "target", "sluice", "bin", "sluice")
            .toAbsolutePath()
            .normalize();
    private static final Duration START_MAX = Duration.ofSeconds(240);
    private static final Duration REQUEST_MAX = Duration.ofSeconds(20);
    private static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";

    private static final String AT_FIRST = "1/4Gi";

    private static final String ALL = """
        roles: [all]
        hazelcast: {join: tcp, addresses: ["127.0.0.1:%d"], port: %d, busPort: %d, ledgers: 1}
        kubernetes: {url: "http://127.0.0.1:%d", tokenFile: "", caFile: ""}
        lease: {enabled: false}
        billing: {directory: /tmp/billing, file: {directory: /tmp/bills}}
        gateway:
          agent: {port: 0}
          ops: {port: %d}
          vmMetrics: {port: 0}
          dump: {port: 0}
          console: {port: 0}
        """;
    private static final String FLEET = """
        roles: [lab]
        hazelcast: {join: tcp, addresses: ["127.0.0.1:%d"], port: %d, busPort: %d, ledgers: 1}
        gateway: {ops: {port: %d}}
        lab: {apiPort: %d}
        """;

    @TempDir
    private static Path unpacked;

    private static Image image;

    @TempDir
    private Path folder;

    private Path etc;
    private Process fleet;

    @BeforeAll
    static void unpack() throws IOException {
        assumeThat(Container.canBeMade())
                .as("the right to mount and chroot, which root has")
                .isTrue();
        image = Image.unpack(unpacked);
    }

    @BeforeEach
    void makeAFolderForTheConfig() throws IOException {
        etc = Files.createDirectory(folder.resolve("etc"));
    }

    @AfterEach
    void endTheFleet() {
        if (fleet != null) {
            fleet.destroyForcibly();
        }
    }

    @Test
    void reportsItsVersion() throws Exception {
        try (var container = Container.start(image, etc, "--version")) {
            assertThat(container.ended()).as(container.output()).isZero();
            assertThat(container.output()).contains(image.label("version"));
        }
    }

    @Test
    void reportsThatItHasNoConfig() throws Exception {
        try (var container = Container.start(image, etc, Image.texts(image.started("Cmd")))) {
            assertThat(container.ended()).isEqualTo(2);
            assertThat(container.output()).contains("/etc/sluice/sluice.yaml");
        }
    }

    @Test
    void checksAConfig() throws Exception {
        Files.writeString(etc.resolve("right.yaml"), "roles: [ledger]\n");
        Files.writeString(etc.resolve("wrong.yaml"), "roles: [ledger]\nledger: {permitValidFro: 2s}\n");

        try (var right = Container.start(image, etc, "config", "check", "/etc/sluice/right.yaml");
                var wrong = Container.start(image, etc, "config", "check", "/etc/sluice/wrong.yaml")) {
            assertThat(right.ended()).as(right.output()).isZero();
            assertThat(wrong.ended()).isEqualTo(2);
            assertThat(wrong.output()).contains("ledger.permitValidFor");
        }
    }

    @Test
    void writesToItsTmpAlone() throws Exception {
        assumeThat(image.file("/bin/sh")).as("a shell in the base").exists();
        var tries = "echo > /tmp/a; echo > /opt/sluice/a; echo > /etc/sluice/a; echo > /a; ls /tmp; id -u; id -g";

        try (var container = Container.execute(image, etc, "/bin/sh", "-c", tries)) {
            assertThat(container.ended()).isZero();
            assertThat(container.output().lines())
                    .filteredOn(line -> line.contains("Read-only file system"))
                    .hasSize(3);
            assertThat(container.output()).endsWith("\na\n65532\n65532\n");
        }
    }

    @Test
    void isACommandForOperatorsThatLookIntoAContainer() throws Exception {
        assumeThat(image.file("/bin/sh")).as("a shell in the base").exists();

        try (var container = Container.execute(image, etc, "/opt/sluice/bin/sluice", "status")) {
            assertThat(container.ended()).isEqualTo(1);
            assertThat(container.output()).contains("http://127.0.0.1:8080");
        }
    }

    @Test
    void scalesAFleetAndEndsAsRequested() throws Exception {
        int member = LoopbackPorts.next();
        int api = LoopbackPorts.next();
        int ops = LoopbackPorts.next();
        Files.writeString(etc.resolve("sluice.yaml"), ALL.formatted(member, member, LoopbackPorts.next(), api, ops));
        startFleet(FLEET.formatted(member, LoopbackPorts.next(), LoopbackPorts.next(), LoopbackPorts.next(), api));

        try (var container = Container.start(image, etc, Image.texts(image.started("Cmd")))) {
            await().atMost(START_MAX).until(() -> answers(ops, "/livez") && answers(ops, "/readyz"));
            await().atMost(START_MAX)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> sizes(api).values().stream().anyMatch(size -> !size.equals(AT_FIRST)));

            assertThat(container.terminated()).as(container.output()).isZero();
            assertThat(container.output())
                    .contains("\"message\":\"Stopped.\"")
                    .doesNotContain("\"level\":\"ERROR\"")
                    .doesNotContain("WARNING:");
        }
    }

    private void startFleet(String config) throws IOException {
        var file = Files.writeString(folder.resolve("fleet.yaml"), config);
        fleet = new ProcessBuilder(SLUICE.toString(), "run", "--config", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("fleet.log").toFile())
                .start();
    }

    private static boolean answers(int port, String path) {
        try {
            return get(port, path).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The sizes of the fleet's VMs, by their names. */
    private static Map<String, String> sizes(int api) throws IOException {
        var sizes = new TreeMap<String, String>();
        for (var vm : new JsonMapper().readTree(get(api, VMS).body()).required("items")) {
            var status = vm.required("status");
            sizes.put(
                    vm.required("metadata").required("name").textValue(),
                    status.path("cpus").asText() + "/"
                            + status.path("memorySize").asText());
        }
        return sizes;
    }

    private static HttpResponse<String> get(int port, String path) throws IOException {
        var uri = URI.create("http://127.0.0.1:" + port + path);
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(uri).timeout(REQUEST_MAX).build();
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
