package io.sluice.lab.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.api.ObjectStore.Part;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;

/** Translates an HTTP request with its body into an operation of the store. */
final class ApiRequests {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ObjectStore store;

    ApiRequests(ObjectStore store) {
        this.store = store;
    }

    Answer answer(HttpServerRequest request, ApiPath path, Buffer sent) {
        JsonNode body;
        try {
            body = sent.length() == 0 ? MissingNode.getInstance() : MAPPER.readTree(sent.getBytes());
        } catch (JsonProcessingException noJson) {
            return Answer.badRequest("the body is not JSON: " + noJson.getOriginalMessage());
        } catch (IOException unreadable) {
            return Answer.badRequest("the body cannot be read: " + unreadable.getMessage());
        }
        return path.isCollection() ? collection(request, path, body) : object(request, path, body);
    }

    static Selector selector(HttpServerRequest request, ApiPath path) {
        return new Selector(path.namespace(), request.getParam("fieldSelector"), request.getParam("labelSelector"));
    }

    private static Pages.Page page(HttpServerRequest request) {
        var limit = request.getParam("limit", "0");
        try {
            return new Pages.Page(Integer.parseInt(limit), request.getParam("continue", ""));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("limit must be a number, not " + limit, notANumber);
        }
    }

    private Answer collection(HttpServerRequest request, ApiPath path, JsonNode body) {
        if (request.method() == HttpMethod.GET) {
            return store.list(path.type(), selector(request, path), page(request));
        }
        if (request.method() != HttpMethod.POST) {
            return notAllowed(request);
        }
        if (!(body instanceof ObjectNode object)) {
            return Answer.badRequest("an object is expected");
        }
        return path.type().namespaced == path.namespace().isEmpty()
                ? Answer.noSuchPath()
                : store.create(path.type(), path.namespace(), object);
    }

    private Answer object(HttpServerRequest request, ApiPath path, JsonNode body) {
        if (path.isBinding()) {
            return request.method() == HttpMethod.POST ? bind(path, body) : notAllowed(request);
        }
        var part = path.isStatus() ? Part.STATUS : path.isResize() ? Part.RESIZE : Part.MAIN;
        var method = request.method();
        if (method == HttpMethod.GET) {
            return store.get(path.type(), path.namespace(), path.name());
        }
        if (method == HttpMethod.PUT) {
            return store.update(path.type(), path.namespace(), path.name(), part, current -> body);
        }
        if (method == HttpMethod.PATCH) {
            return patch(request, path, part, body);
        }
        if (method == HttpMethod.DELETE && part == Part.MAIN) {
            return store.delete(path.type(), path.namespace(), path.name(), body.path("preconditions"));
        }
        return notAllowed(request);
    }

    private Answer bind(ApiPath path, JsonNode body) {
        return body.at("/metadata/name").asText("").equals(path.name())
                ? store.bind(
                        path.namespace(), path.name(), body.at("/target/name").asText(""), body.path("metadata"))
                : Answer.badRequest("the name of the object does not match the name on the URL");
    }

    private Answer patch(HttpServerRequest request, ApiPath path, Part part, JsonNode body) {
        var header = request.getHeader(HttpHeaders.CONTENT_TYPE);
        var contentType = header == null ? "" : header.split(";")[0].strip();
        return switch (contentType) {
            case "application/json-patch+json" ->
                body instanceof ArrayNode operations
                        ? store.update(
                                path.type(),
                                path.namespace(),
                                path.name(),
                                part,
                                current -> Patches.json(current, operations))
                        : Answer.badRequest("a JSON Patch is an array of operations");
            case "application/merge-patch+json" ->
                store.update(path.type(), path.namespace(), path.name(), part, current -> Patches.merge(current, body));
            default -> Answer.unsupportedPatch(contentType);
        };
    }

    private static Answer notAllowed(HttpServerRequest request) {
        return Answer.failure(405, "MethodNotAllowed", request.method() + " is not understood here");
    }
}
