package io.sluice.kube.pods;

import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.lab.api.RawApi;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A node of 1 CPU and 3.75 GiB whose kubelet is real, and whose containers do not exist. It accepts, defers and refuses
 * resizes, and never completes one that it accepted: it has no control groups.
 */
final class HollowNode implements AutoCloseable {
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(30);
    private static final Duration READY_WITHIN = Duration.ofSeconds(90);

    private final Process process;

    HollowNode(ControlPlane plane, RawApi raw, String name, Path folder) throws IOException {
        var access = folder.resolve("hollow.kubeconfig");
        var admin = plane.admin();
        Files.writeString(access, """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
            users: [{name: u, user: {tokenFile: "%s"}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """.formatted(admin.url(), admin.caFile(), admin.tokenFile()));
        process = new ProcessBuilder(
                        plane.program("kubemark").toString(),
                        "--morph=kubelet",
                        "--name=" + name,
                        "--kubeconfig=" + access,
                        "--kubelet-port=" + LoopbackPorts.next(),
                        "--kubelet-read-only-port=0",
                        "--use-host-image-service=false",
                        "--max-pods=200")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        await().atMost(READY_WITHIN)
                .until(() -> raw.get("/api/v1/nodes/" + name)
                        .body()
                        .at("/status/conditions")
                        .valueStream()
                        .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                                && condition.path("status").asText().equals("True")));
    }

    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(ENDED_WITHIN.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
