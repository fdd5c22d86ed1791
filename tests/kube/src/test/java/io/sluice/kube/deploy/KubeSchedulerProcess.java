package io.sluice.kube.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.shell.LoopbackPorts;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A real kube-scheduler as a pod of the overlay {@code placement} runs it: with the arguments of its container and the
 * overlay's config. Loopback has another address here, and files name the API server and the token, which a pod has at
 * a fixed path.
 */
final class KubeSchedulerProcess implements AutoCloseable {
    private static final Path PROGRAM = Path.of(System.getProperty("kube.control-plane", ""), "kube-scheduler");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int OK = 200;

    private final Vertx vertx = Vertx.vertx();
    private final int port = LoopbackPorts.next();
    private final JsonNode container;
    private final Process process;

    /**
     * Starts it.
     *
     * @param overlay the objects of the overlay
     * @param api the API server, with a token
     * @param sluice the address that stands for the loopback of its pod
     */
    KubeSchedulerProcess(List<JsonNode> overlay, KubernetesConfig api, String sluice, Path folder) {
        container = overlay.stream()
                .map(object -> object.at("/spec/template/spec/containers/1"))
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseThrow();
        var access = write(
                folder.resolve("kube-scheduler.kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
                    users: [{name: u, user: {tokenFile: "%s"}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(api.url(), api.caFile(), api.tokenFile()));
        var config = write(
                folder.resolve("kube-scheduler.yaml"),
                read(Deploy.overlay("placement").resolve("kube-scheduler.yaml"))
                                .replace("http://" + LOOPBACK, "http://" + sluice)
                        + "clientConnection: {kubeconfig: \"" + access + "\"}\n");
        var command = new ArrayList<String>();
        command.add(PROGRAM.toString());
        container
                .path("args")
                .forEach(argument -> command.add(
                        argument.asText().replace("/etc/kube-scheduler/kube-scheduler.yaml", config.toString())));
        command.add("--authentication-kubeconfig=" + access);
        command.add("--authorization-kubeconfig=" + access);
        command.add("--bind-address=" + LOOPBACK);
        command.add("--secure-port=" + port);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("kube-scheduler.log").toFile())
                    .start();
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    /** Whether its probe of that name succeeds. */
    boolean passes(String probe) {
        if (!process.isAlive()) {
            throw new IllegalStateException("kube-scheduler has ended");
        }
        var request = container.path(probe).path("httpGet");
        // As the kubelet does, which does not verify the certificate.
        var options = new HttpClientOptions()
                .setSsl(request.path("scheme").asText().equals("HTTPS"))
                .setTrustAll(true)
                .setVerifyHost(false);
        var client = vertx.createHttpClient(options);
        try {
            return client.request(
                                    HttpMethod.GET,
                                    port,
                                    LOOPBACK,
                                    request.path("path").asText())
                            .compose(ready -> ready.send().map(HttpClientResponse::statusCode))
                            .toCompletionStage()
                            .toCompletableFuture()
                            .orTimeout(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS)
                            .join()
                    == OK;
        } catch (CompletionException notYet) {
            return false;
        } finally {
            client.close();
        }
    }

    /** Stops it as the kubelet stops a container; returns whether it ended in time, with status 0. */
    boolean stop() {
        return PodProcess.stop(process);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        vertx.close();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException notWritten) {
            throw new UncheckedIOException(notWritten);
        }
    }
}
