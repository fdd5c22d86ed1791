package io.sluice.gateway.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.messages.placement.RankNodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The body of {@code filter} or {@code prioritize}, {@code ExtenderArgs}. It is read in one pass and without a tree, as
 * it has a pod and the names of many nodes, and comes twice for each pod.
 */
final class RankCall {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private boolean hasPod;
    private boolean hasNodes;
    private String uid = "";
    private String namespace = "";
    private String name = "";
    private String scheduler = "";
    private final List<String> nodes = new ArrayList<>();

    private RankCall() {}

    private interface Field {
        void read(String name, JsonParser json) throws IOException;
    }

    /**
     * Reads a body.
     *
     * @throws IllegalArgumentException if it is no JSON object
     */
    static RankCall read(byte[] body) {
        var call = new RankCall();
        try (var json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the body must be an object");
            }
            fields(json, call::field);
            return call;
        } catch (JsonProcessingException garbage) {
            throw new IllegalArgumentException("the body is no JSON: " + garbage.getOriginalMessage(), garbage);
        } catch (IOException garbage) {
            throw new IllegalArgumentException("the body is no JSON: " + garbage.getMessage(), garbage);
        }
    }

    /**
     * The request to placement.
     *
     * @throws IllegalArgumentException if a field is missing or of another type; it names the field
     */
    RankNodes request() {
        if (!hasPod) {
            throw new IllegalArgumentException("Pod must be an object");
        }
        if (!hasNodes) {
            throw new IllegalArgumentException(
                    "NodeNames must be a list of names: the extender's configuration needs nodeCacheCapable: true");
        }
        return new RankNodes(
                given(uid, "Pod.metadata.uid"),
                given(namespace, "Pod.metadata.namespace"),
                given(name, "Pod.metadata.name"),
                nodes);
    }

    /** The scheduler that the pod names; empty if it names none. */
    String scheduler() {
        return scheduler;
    }

    private void field(String field, JsonParser json) throws IOException {
        switch (field) {
            case "Pod" -> hasPod = fields(json, this::pod);
            case "NodeNames" -> names(json);
            default -> json.skipChildren();
        }
    }

    private void pod(String field, JsonParser json) throws IOException {
        switch (field) {
            case "metadata" -> fields(json, this::metadata);
            case "spec" -> fields(json, this::spec);
            default -> json.skipChildren();
        }
    }

    private void metadata(String field, JsonParser json) throws IOException {
        switch (field) {
            case "uid" -> uid = text(json);
            case "namespace" -> namespace = text(json);
            case "name" -> name = text(json);
            default -> json.skipChildren();
        }
    }

    private void spec(String field, JsonParser json) throws IOException {
        if (field.equals("schedulerName")) {
            scheduler = text(json);
        } else {
            json.skipChildren();
        }
    }

    private void names(JsonParser json) throws IOException {
        hasNodes = json.currentToken() == JsonToken.START_ARRAY;
        if (!hasNodes) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_STRING || json.getTextLength() == 0) {
                var found = json.getText();
                throw new IllegalArgumentException(
                        "NodeNames must contain names, not " + (found.isEmpty() ? "\"\"" : found));
            }
            nodes.add(json.getText());
        }
    }

    /** Reads the fields of the current value, and returns whether it is an object. */
    private static boolean fields(JsonParser json, Field field) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return false;
        }
        for (var name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            field.read(name, json);
        }
        return true;
    }

    /** The current value; empty if it is no text. */
    private static String text(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        json.skipChildren();
        return "";
    }

    private static String given(String value, String path) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(path + " must be a text that is not empty");
        }
        return value;
    }
}
