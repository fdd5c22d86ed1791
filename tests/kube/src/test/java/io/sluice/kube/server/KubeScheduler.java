package io.sluice.kube.server;

import io.sluice.neonvm.api.KubernetesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real kube-scheduler. */
public final class KubeScheduler implements AutoCloseable {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final Process process;

    private KubeScheduler(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts it for that API server; all its files are in that folder. */
    public static KubeScheduler start(KubernetesConfig api, Path folder) {
        return start(folder, "--kubeconfig=" + access(api, folder), "--leader-elect=false");
    }

    /**
     * Starts one that binds the pods of its name with an extender.
     *
     * @param name of the scheduler, which pods name
     * @param extender URL of the extender
     * @param tls how it proves itself to the extender, and knows it: its {@code tlsConfig}; without effect on plain
     *     HTTP
     */
    public static KubeScheduler extended(KubernetesConfig api, Path folder, String name, String extender, String tls) {
        try {
            var config = folder.resolve("scheduler-config.yaml");
            Files.writeString(
                    config, """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        leaderElection: {leaderElect: false}
                        clientConnection: {kubeconfig: "%s"}
                        profiles: [{schedulerName: %s}]
                        extenders:
                        - urlPrefix: %s
                          filterVerb: filter
                          prioritizeVerb: prioritize
                          preemptVerb: preempt
                          bindVerb: bind
                          weight: 1
                          nodeCacheCapable: true
                          httpTimeout: 20s
                          enableHTTPS: %s
                          tlsConfig: %s
                        """.formatted(access(api, folder), name, extender, extender.startsWith("https:"), tls));
            return start(folder, "--config=" + config);
        } catch (IOException notWritten) {
            throw new UncheckedIOException(notWritten);
        }
    }

    /**
     * Starts one that calls an extender with the nodes that its own rules leave, and evicts nothing.
     *
     * @param name of the scheduler, which pods name
     * @param extender URL of the extender
     * @param gates features that are switched on
     */
    public static KubeScheduler recorded(
            KubernetesConfig api, Path folder, String name, String extender, String gates) {
        var profile = "{schedulerName: " + name + ", plugins: {postFilter: {disabled: [{name: \"*\"}]}}}";
        return withRecorder(api, folder, profile, extender + "\n  filterVerb: filter", "--feature-gates=" + gates);
    }

    /**
     * Starts one that also calls an extender before it evicts pods, with all nodes on which evictions would help.
     *
     * @param name of the scheduler, which pods name
     * @param extender URL of the extender
     */
    public static KubeScheduler preempting(KubernetesConfig api, Path folder, String name, String extender) {
        var profile = "{schedulerName: " + name + "}";
        return withRecorder(api, folder, profile, extender + "\n  filterVerb: filter\n  preemptVerb: preempt");
    }

    private static KubeScheduler withRecorder(
            KubernetesConfig api, Path folder, String profile, String extender, String... arguments) {
        return configured(api, folder, """
            profiles: [%s]
            extenders:
            - urlPrefix: %s
              nodeCacheCapable: true
              httpTimeout: 20s
            """.formatted(profile, extender), arguments);
    }

    /**
     * Starts one that chooses nodes by preferences alone: its own score by room is switched off.
     *
     * @param name of the scheduler, which pods name
     */
    public static KubeScheduler preferring(KubernetesConfig api, Path folder, String name) {
        return configured(api, folder, """
            profiles:
            - schedulerName: %s
              plugins:
                postFilter: {disabled: [{name: "*"}]}
                score:
                  disabled: [{name: "*"}]
                  enabled:
                  - {name: TaintToleration, weight: 3}
                  - {name: NodeAffinity, weight: 2}
                  - {name: PodTopologySpread, weight: 2}
                  - {name: InterPodAffinity, weight: 2}
            """.formatted(name));
    }

    private static KubeScheduler configured(KubernetesConfig api, Path folder, String profiles, String... arguments) {
        try {
            var config = folder.resolve("scheduler-config.yaml");
            Files.writeString(config, """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: "%s", qps: 2000, burst: 4000}
                percentageOfNodesToScore: 100
                """.formatted(access(api, folder)) + profiles);
            return start(
                    folder,
                    Stream.concat(Stream.of("--config=" + config), Stream.of(arguments))
                            .toArray(String[]::new));
        } catch (IOException notWritten) {
            throw new UncheckedIOException(notWritten);
        }
    }

    private static KubeScheduler start(Path folder, String... arguments) {
        try {
            var command = new ArrayList<>(List.of(Path.of(System.getProperty(ControlPlane.PROGRAMS), "kube-scheduler")
                    .toString()));
            command.addAll(List.of(arguments));
            command.add("--secure-port=0");
            return new KubeScheduler(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("kube-scheduler.log").toFile())
                    .start());
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    private static Path access(KubernetesConfig api, Path folder) {
        try {
            return Files.writeString(folder.resolve("scheduler.kubeconfig"), kubeconfig(api));
        } catch (IOException notWritten) {
            throw new UncheckedIOException(notWritten);
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
