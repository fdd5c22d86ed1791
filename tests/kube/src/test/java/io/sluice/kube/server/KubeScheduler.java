package io.sluice.kube.server;

import io.sluice.neonvm.api.KubernetesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A real kube-scheduler with its defaults; it binds pods that name no other scheduler. */
public final class KubeScheduler implements AutoCloseable {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final Process process;

    private KubeScheduler(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts it for that API server; all its files are in that folder. */
    public static KubeScheduler start(KubernetesConfig api, Path folder) {
        try {
            var access = folder.resolve("scheduler.kubeconfig");
            Files.writeString(access, kubeconfig(api));
            return new KubeScheduler(new ProcessBuilder(
                            Path.of(System.getProperty(ControlPlane.PROGRAMS), "kube-scheduler")
                                    .toString(),
                            "--kubeconfig=" + access,
                            "--leader-elect=false",
                            "--secure-port=0")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("kube-scheduler.log").toFile())
                    .start());
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    private static String kubeconfig(KubernetesConfig api) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
            users: [{name: u, user: {tokenFile: "%s"}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """.formatted(api.url(), api.caFile(), api.tokenFile());
    }

    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(END_MAX.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
