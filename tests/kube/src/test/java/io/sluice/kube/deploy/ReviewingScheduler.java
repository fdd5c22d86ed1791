package io.sluice.kube.deploy;

import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The distribution's scheduler side in a process of its own, with all listeners on free ports of loopback. */
final class ReviewingScheduler implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
    private static final Duration END_MAX = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int agentPort = LoopbackPorts.next();
    private final int consolePort = LoopbackPorts.next();
    private final Path log;
    private final Process process;

    ReviewingScheduler(Path folder, KubernetesConfig kubernetes, List<String> properties) throws IOException {
        log = folder.resolve("scheduler.log");
        var command = new ArrayList<>(List.of(
                Deploy.program().toString(),
                "run",
                "--config",
                Deploy.config("scheduler.yaml").toString(),
                "-Dsluice.kubernetes.url=" + kubernetes.url(),
                "-Dsluice.kubernetes.tokenFile=" + kubernetes.tokenFile(),
                "-Dsluice.kubernetes.caFile=" + kubernetes.caFile(),
                "-Dsluice.gateway.agent.port=" + agentPort,
                "-Dsluice.gateway.console.port=" + consolePort,
                "-Dsluice.gateway.ops.port=0"));
        properties.forEach(property -> command.add("-Dsluice." + property));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The reply of the agent API to a request for a quarter of a CPU and 1 Gi for a pod. */
    HttpResponse<String> request(String token, String pod) throws IOException, InterruptedException {
        var body = """
            {"protoVersion":7,"pod":{"namespace":"default","name":"%s"},
             "computeUnit":{"vCPUs":"250m","mem":"1Gi"},"resources":{"vCPUs":"250m","mem":"1Gi"},
             "metrics":{"loadAvg1M":0.1}}
            """.formatted(pod);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + agentPort + "/"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(ANSWER_MAX)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The reply of the console. */
    String look(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + consolePort + path))
                .timeout(ANSWER_MAX)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    int agentPort() {
        return agentPort;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
