package io.sluice.kube.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.neonvm.api.KubernetesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real kubectl with all rights. It reads no kubeconfig. */
public final class Kubectl {
    private static final Duration END_MAX = Duration.ofSeconds(180);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;
    private final List<String> command;

    /** @param folder folder for its cache and output */
    public Kubectl(Path folder, KubernetesConfig server) {
        this.folder = folder;
        command = List.of(
                Path.of(System.getProperty(ControlPlane.PROGRAMS), "kubectl").toString(),
                "--kubeconfig=/dev/null",
                "--cache-dir=" + folder.resolve("kubectl-cache"),
                "--server=" + server.url(),
                "--certificate-authority=" + server.caFile(),
                "--token=" + token(server));
    }

    private static String token(KubernetesConfig server) {
        try {
            return Files.readString(Path.of(server.tokenFile())).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Runs it and returns its standard output.
     *
     * @throws AssertionError with its whole output if it fails, or reports something as deprecated or unknown
     */
    public String run(String... arguments) {
        var whole = new ArrayList<>(command);
        whole.addAll(List.of(arguments));
        try {
            var errors = Files.createTempFile(folder, "kubectl", ".err");
            var reported = Files.createTempFile(folder, "kubectl", ".out");
            var process = new ProcessBuilder(whole)
                    .redirectOutput(reported.toFile())
                    .redirectError(errors.toFile())
                    .start();
            boolean ended = process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS);
            var complaints = Files.readString(errors);
            var answer = Files.readString(reported);
            Files.delete(errors);
            Files.delete(reported);
            if (!ended || process.exitValue() != 0 || complaints.contains("Warning")) {
                process.destroyForcibly();
                throw new AssertionError("kubectl " + String.join(" ", arguments) + ": " + complaints + answer);
            }
            return answer;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The objects that it prints. */
    public List<JsonNode> objects(String... arguments) {
        var whole = new ArrayList<>(List.of(arguments));
        whole.addAll(List.of("-o", "json"));
        try (var printed = MAPPER.readerFor(JsonNode.class).<JsonNode>readValues(run(whole.toArray(String[]::new)))) {
            var objects = new ArrayList<JsonNode>();
            for (var object : printed.readAll()) {
                if (object.path("kind").asText().equals("List")) {
                    object.path("items").forEach(objects::add);
                } else {
                    objects.add(object);
                }
            }
            return objects;
        } catch (IOException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }
}
