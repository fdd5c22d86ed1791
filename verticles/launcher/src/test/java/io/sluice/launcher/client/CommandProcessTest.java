package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.launcher.Main;
import io.sluice.shell.EndlessServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a command that is over soon does not start what only a process with roles needs, and a signal ends it. Method:
 * each in a JVM of its own, which logs the classes that it loads.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommandProcessTest {
    private static final List<String> SERVER = List.of("io.vertx.", "io.micrometer.", "com.hazelcast.", "org.slf4j.");
    private static final List<String> HEAVY = List.of("java.net.http.", "com.fasterxml.jackson.databind.");

    /** Enough for each command to print something. */
    private static final String REPLY = """
        {"now":"calm","ready":true,"reasons":[{"at":1,"kind":"DENIED","from":[1,2],"to":[2,4]}],
         "members":[{"name":"a","waits":[{"part":"lease"}]}],"at":1,"body":{"seq":3}}\
        """.replace("\n", "");

    private static final int SIGTERM = 15;

    private HttpServer server;
    private Path classes;
    private Path output;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        classes = folder.resolve("classes.txt");
        output = folder.resolve("output.txt");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                var prefix = exchange.getRequestURI().getPath().endsWith("tap") ? "event: message\ndata: " : "";
                var body = (prefix + REPLY + "\n\n").getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"why vm db", "why node a", "status", "tap --count 1", "dump", "profile --seconds 1", "top --once"
            })
    void ofARequestToAProcessAreFew(String command) throws Exception {
        var url = "http://127.0.0.1:" + server.getAddress().getPort();

        assertThat(loaded(Stream.concat(Stream.of(command.split(" ")), Stream.of("--url", url))))
                .noneMatch(name -> begins(name, SERVER) || begins(name, HEAVY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "why --help",
                "demo --help",
                "bill --help",
                "replay --help",
                "completion fish"
            })
    void ofATextAreFew(String command) throws Exception {
        assertThat(loaded(Stream.of(command.split(" "))))
                .noneMatch(name -> begins(name, SERVER) || begins(name, HEAVY));
    }

    @Test
    void ofCommandsThatReadFilesHaveNoServer() throws Exception {
        var config = Files.writeString(folder.resolve("config.yaml"), "roles: [ledger]")
                .toString();

        assertThat(loaded(Stream.of("config", "check", config))).noneMatch(name -> begins(name, SERVER));
        assertThat(loaded(Stream.of("bill", "--config", config, "--directory", folder.toString())))
                .noneMatch(name -> begins(name, SERVER));
    }

    @Test
    void aSignalEndsATapAtOnce() throws Exception {
        try (var silent = new EndlessServer(new EndlessServer.Answer("no messages", "HTTP/1.1 200 OK\r\n\r\n", ""))) {
            var tap = started(Stream.of("tap", "--url", "http://127.0.0.1:" + silent.port()));
            await().until(() -> silent.connections() == 1);
            tap.destroy();

            assertThat(tap.waitFor()).isEqualTo(128 + SIGTERM);
            assertThat(output).isEmptyFile();
        }
    }

    /** The names of the classes that a command loads which ends well. */
    private List<String> loaded(Stream<String> arguments) throws IOException, InterruptedException {
        var process = started(arguments);
        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        assertThat(output).isNotEmptyFile();
        try (var lines = Files.lines(classes)) {
            var names =
                    lines.map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "")).toList();
            assertThat(names).anyMatch(name -> name.startsWith(Main.class.getName() + " "));
            return names;
        }
    }

    private Process started(Stream<String> arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xlog:class+load=info:file=" + classes,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        arguments.forEach(command::add);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static boolean begins(String name, List<String> packages) {
        return packages.stream().anyMatch(name::startsWith);
    }
}
