package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    @Test
    void showsWhatItIsAndWhatItCanDo() {
        assertThat(Main.run(new ProcessLifetime(), "--version")).isEqualTo(Main.OK);
        assertThat(Main.run(new ProcessLifetime(), "--help")).isEqualTo(Main.OK);
    }

    @Test
    void refusesACommandLineOrConfigThatIsWrong() throws IOException {
        assertThat(Main.run(new ProcessLifetime())).isEqualTo(Main.MISUSED);
        assertThat(Main.run(new ProcessLifetime(), "walk")).isEqualTo(Main.MISUSED);
        assertThat(Main.run(new ProcessLifetime(), "run")).isEqualTo(Main.MISUSED);
        assertThat(Main.run(
                        new ProcessLifetime(),
                        "run",
                        "--config",
                        folder.resolve("none.yaml").toString()))
                .isEqualTo(Main.MISUSED);
        assertThat(Main.run(new ProcessLifetime(), "run", "--config", config("role: [ledger]")))
                .isEqualTo(Main.MISUSED);
        assertThat(Main.run(new ProcessLifetime(), "config", "check", config("")))
                .isEqualTo(Main.MISUSED);
        assertThat(Main.run(new ProcessLifetime(), "config", "check", config("roles: [ledger]")))
                .isEqualTo(Main.OK);
        assertThat(Main.run(new ProcessLifetime(), "demo", "--config", config("roles: [ledger]"), "--duration", "soon"))
                .isEqualTo(Main.MISUSED);
    }

    @Test
    void failsWhereThePortOfAListenerIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var config = config("roles: [ledger]\ngateway: {ops: {port: " + taken.getLocalPort() + "}}\n");

            assertThat(Main.run(new ProcessLifetime(), "run", "--config", config))
                    .isEqualTo(Main.FAILED);
        }
    }

    @Test
    void refusesADirectoryOfAWorkerThatIsNone() throws IOException {
        var file = config("");

        assertThat(output.run("worker", "--id", "w1", "--allow", "/bin/sleep", "--allow-root", "--directory", file))
                .isEqualTo(Main.FAILED);
        assertThat(output.text())
                .isEqualTo("sluice: the worker did not start: " + file + " is a file: the directory of a worker must"
                        + " belong to its own user, and no one else may write it\n");
    }

    @Test
    void endsWithTheProcessThatStartedIt() throws IOException, InterruptedException {
        var parent = new ProcessBuilder("cat").start();
        var life = new ProcessLifetime();
        life.endWith(parent.pid());

        parent.destroyForcibly().waitFor();

        life.await();
        assertThat(parent.isAlive()).isFalse();
    }

    @Test
    void endsAtOnceWhereItsParentIsGoneAlready() throws IOException, InterruptedException {
        var parent = new ProcessBuilder("true").start();
        parent.waitFor();
        var life = new ProcessLifetime();

        life.endWith(parent.pid());

        life.await();
    }

    private String config(String text) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), text).toString();
    }
}
