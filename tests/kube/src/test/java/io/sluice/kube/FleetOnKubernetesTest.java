package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.deploy.Deploy;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the demo works on a real API server as it does on its own. Method: the distribution's demo, whose fleet is
 * created there; its auditor compares the ledger state with the VMs all the time.
 */
@OnKubernetes
class FleetOnKubernetesTest {
    private static final Duration PLAYED = Duration.ofSeconds(90);
    private static final Duration START_MAX = Duration.ofSeconds(180);
    private static final Duration AWAY = Duration.ofSeconds(5);
    private static final Duration AUDITED = Duration.ofSeconds(45);
    private static final int SOME_CHANGES = 20;
    private static final Duration END_MAX = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private Process demo;

    @BeforeEach
    void start() throws IOException {
        assumeThat(Deploy.program())
                .as("the distribution, which mvn package makes")
                .exists();
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
    }

    @AfterEach
    void stop() {
        if (demo != null) {
            demo.destroyForcibly();
        }
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void scalesRefusesAndMoves() throws Exception {
        demo = demo(PLAYED);

        assertThat(demo.waitFor(PLAYED.plus(END_MAX).toSeconds(), TimeUnit.SECONDS))
                .isTrue();

        var reported = reported();
        assertThat(demo.exitValue()).as(reported).isZero();
        for (var happened :
                List.of("scale-ups", "scale-downs", "denials", "denied downscales", "upscale requests", "migrations")) {
            assertThat(reported).containsPattern("\n" + happened + ": [1-9]");
        }
    }

    @Test
    void goesOnAfterTheApiServerWasKilled() throws Exception {
        demo = demo(Duration.ZERO);
        try (var client = KubernetesConnection.open(plane.admin())) {
            await().atMost(START_MAX).ignoreExceptions().until(() -> revisions(client) >= SOME_CHANGES);

            plane.killApiServer();
            await().during(AWAY).atMost(AWAY.plus(END_MAX)).until(demo::isAlive);
            plane.startApiServer();
            long before = await().atMost(START_MAX).ignoreExceptions().until(() -> revisions(client), there -> true);

            await().atMost(START_MAX).ignoreExceptions().until(() -> revisions(client) >= before + SOME_CHANGES);
        }
        // Its auditor continues; the exit status is its result.
        await().during(AUDITED).atMost(AUDITED.plus(END_MAX)).until(demo::isAlive);
        demo.destroy();
        assertThat(demo.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(demo.exitValue()).as(reported()).isZero();
    }

    /** How often sizes of the VMs became real, summed up. */
    private static long revisions(KubernetesClient client) {
        return client
                .genericKubernetesResources("vm.neon.tech/v1", "VirtualMachine")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(vm -> vm.<Number>get("status", "currentRevision", "revision", "value"))
                .filter(Objects::nonNull)
                .mapToLong(Number::longValue)
                .sum();
    }

    /**
     * Starts the demo.
     *
     * @param length its length; none if it is ended by a signal
     */
    private Process demo(Duration length) throws IOException {
        var kubernetes = plane.admin();
        return new ProcessBuilder(
                        Deploy.program().toString(),
                        "demo",
                        "--duration",
                        length.toSeconds() + "s",
                        "-Dsluice.lab.cluster=kubernetes",
                        "-Dsluice.lab.pods=false",
                        "-Dsluice.kubernetes.url=" + kubernetes.url(),
                        "-Dsluice.kubernetes.tokenFile=" + kubernetes.tokenFile(),
                        "-Dsluice.kubernetes.caFile=" + kubernetes.caFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("demo.log").toFile())
                .start();
    }

    private String reported() throws IOException {
        return Files.readString(folder.resolve("demo.log"));
    }
}
