package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.launcher.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: {@code sluice top} follows a terminal's size, and leaves it as it was. Method: the program in a terminal of
 * tmux, beside a server with one fleet.
 */
class TopTerminalTest {
    private static final String FLEET = "event: fleet\ndata: {\"at\":1700000000000,\"nodes\":[],\"vms\":["
            + "{\"key\":\"default/only-vm\",\"node\":\"node-a\",\"size\":[1000,1073741824]}]}\n\n";

    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        assumeThat(Stream.of("/usr/bin/tmux", "/bin/tmux").map(Path::of).anyMatch(Files::isExecutable))
                .as("tmux")
                .isTrue();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                boolean streams = exchange.getRequestURI().getPath().endsWith("stream");
                var body =
                        (streams ? FLEET : "{\"now\":\"it is calm\",\"reasons\":[]}").getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(body);
                exchange.getResponseBody().flush();
                if (streams) {
                    end.await();
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "20", "-s", "top", "bash --norc");
        tmux("send-keys", "PS1='$ '; clear; echo before", "Enter");
        awaitScreen("before");
        tmux("send-keys", "sh " + script(), "Enter");
        awaitScreen("default/only-vm");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        if (server != null) {
            tmux("kill-server");
            end.countDown();
            server.stop(0);
        }
    }

    @Test
    void followsTheSizeOfTheTerminalAndExplainsARow() throws IOException, InterruptedException {
        assertThat(screen()).doesNotContain("before").contains("1-4 table");
        tmux("resize-window", "-x", "60", "-y", "8");
        await().untilAsserted(() -> assertThat(screen().lines().toList())
                .hasSize(8)
                .satisfies(lines -> assertThat(lines.getLast()).startsWith("1-4 table")));
        tmux("send-keys", "Enter");
        awaitScreen("it is calm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "C-c", "SIGTERM"})
    void leavesTheTerminalAsItWas(String by) throws IOException, InterruptedException {
        if (by.equals("SIGTERM")) {
            var pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
            assertThat(ProcessHandle.of(pid).orElseThrow().destroy()).isTrue();
        } else {
            tmux("send-keys", by);
        }
        // The shell reads again.
        await().untilAsserted(() -> assertThat(screen()).startsWith("before").matches("(?s).*\\n\\$\\s*"));
        tmux("send-keys", "stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e isig", "Enter");
        awaitScreen("isig\nicanon\necho\n$");
    }

    /** A terminal takes no line as long as a class path. */
    private Path script() throws IOException {
        return Files.writeString(
                folder.resolve("top.sh"),
                "echo $$ >" + folder.resolve("pid") + "; exec '"
                        + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")) + "' "
                        + Main.class.getName() + " top --url http://127.0.0.1:"
                        + server.getAddress().getPort());
    }

    private void awaitScreen(String text) {
        await().untilAsserted(() -> assertThat(screen()).contains(text));
    }

    private String screen() throws IOException, InterruptedException {
        return tmux("capture-pane", "-p");
    }

    /** A server of tmux of the test's own. */
    private String tmux(String... arguments) throws IOException, InterruptedException {
        var command =
                new ArrayList<>(List.of("tmux", "-S", folder.resolve("socket").toString()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }
}
