package io.sluice.vectors.agentscheduler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One exchange as it was on the wire.
 *
 * @param name name of the case, or its number
 * @param method method of the request
 * @param path path of the request
 * @param headers headers of the request, in wire order
 * @param body body of the request, with its chunk sizes if it was chunked
 * @param answer the reply
 */
public record RecordedExchange(
        String name, String method, String path, List<String> headers, String body, Answer answer) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern POD = Pattern.compile("(?i)\"name\":\"([^\"]*)\"");

    public RecordedExchange {
        headers = List.copyOf(headers);
    }

    /** Reads the cases of a recording. */
    public static List<RecordedExchange> all(JsonNode recording) {
        var exchanges = new ArrayList<RecordedExchange>();
        for (var node : recording.path("cases")) {
            exchanges.add(of(node));
        }
        return exchanges;
    }

    private static RecordedExchange of(JsonNode node) {
        var request = node.path("request");
        var response = node.path("response");
        if (!request.isObject() || !response.path("status").isInt()) {
            throw new IllegalArgumentException("a case needs a request, and a response with a status: " + node);
        }
        return new RecordedExchange(
                node.has("name")
                        ? node.path("name").asText()
                        : "n=" + node.path("n").asText(),
                request.path("method").asText(),
                request.path("path").asText(),
                lines(request.path("headers")),
                request.path("body").asText(),
                new Answer(
                        response.path("status").asInt(),
                        header(lines(response.path("headers")), "Content-Type"),
                        response.path("body").asText()));
    }

    private static List<String> lines(JsonNode headers) {
        var lines = new ArrayList<String>();
        headers.forEach(line -> lines.add(line.asText()));
        return lines;
    }

    static String header(List<String> headers, String name) {
        return headers.stream()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** The pod that the request names; empty if it names none. */
    Optional<String> pod() {
        var found = POD.matcher(body);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** The request's JSON; empty if its body is not JSON. */
    Optional<JsonNode> json() {
        int start = body.indexOf('{');
        return start < 0 ? Optional.empty() : parsed(body.substring(start));
    }

    /** The first JSON object of a text. */
    static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(JSON.readTree(text)).filter(JsonNode::isObject);
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    /**
     * A reply as far as a client acts on it, without dates and lengths.
     *
     * @param status the HTTP status
     * @param contentType the media type
     * @param body the text
     */
    public record Answer(int status, String contentType, String body) {
        /** Whether ours is the same for a client: equal amounts, or a reason that starts with the recorded words. */
        boolean isLike(Answer ours) {
            if (status != ours.status || !contentType.equals(ours.contentType)) {
                return false;
            }
            return status == 200
                    ? permit().isPresent() && permit().equals(ours.permit()) && migrates() == ours.migrates()
                    : ours.body.equals(body) || ours.body.startsWith(body + ": ");
        }

        private boolean migrates() {
            return parsed(body).filter(json -> json.hasNonNull("migrate")).isPresent();
        }

        Optional<JsonNode> permit() {
            return parsed(body).map(json -> json.path("permit")).filter(JsonNode::isObject);
        }
    }
}
