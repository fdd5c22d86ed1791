package io.sluice.kube.server;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The audit log of an API server: which user requested what, and the reply. */
public final class AuditLog {
    /** An audit policy that logs a watch as soon as it begins. */
    static final String POLICY = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules: [{level: Metadata}]
        """;

    private static final int CREATED = 201;
    private static final int FORBIDDEN = 403;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;

    public AuditLog(Path file) {
        this.file = file;
    }

    /** The rights that the user used, without those that were forbidden. */
    public SortedSet<Right> used(String user) {
        return of(user).filter(event -> !isForbidden(event) && event.has("objectRef"))
                .map(AuditLog::right)
                .collect(toCollection(TreeSet::new));
    }

    /** How often the user used each right. */
    public Map<Right, Long> count(String user) {
        return of(user).filter(event -> !isForbidden(event) && event.has("objectRef"))
                .collect(groupingBy(AuditLog::right, counting()));
    }

    /** What the user was forbidden, in the words of the API server. */
    public List<String> forbidden(String user) {
        return of(user).filter(AuditLog::isForbidden)
                .map(event -> event.path("requestURI").asText() + ": "
                        + event.path("responseStatus").path("message").asText())
                .distinct()
                .toList();
    }

    /** The names of the pods that were bound, each as often as a Binding was created. */
    public List<String> bound() {
        return all().filter(event -> event.at("/objectRef/subresource").asText().equals("binding"))
                .filter(event -> event.at("/responseStatus/code").asInt() == CREATED)
                .map(event -> event.at("/objectRef/name").asText())
                .toList();
    }

    private Stream<JsonNode> of(String user) {
        return all().filter(
                        event -> event.path("user").path("username").asText().equals(user));
    }

    private Stream<JsonNode> all() {
        try {
            // The last line may be incomplete.
            return Files.readAllLines(file).stream()
                    .filter(line -> line.endsWith("}"))
                    .map(AuditLog::event);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static JsonNode event(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JsonProcessingException halfWritten) {
            return MAPPER.missingNode();
        }
    }

    private static boolean isForbidden(JsonNode event) {
        return event.path("responseStatus").path("code").asInt() == FORBIDDEN;
    }

    private static Right right(JsonNode event) {
        var object = event.path("objectRef");
        var part = object.path("subresource").asText("");
        var resource = object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part);
        return new Right(
                object.path("apiGroup").asText(""), resource, event.path("verb").asText());
    }
}
