package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An answer of the API server.
 *
 * @param status HTTP status
 * @param body the object, the list, or a Status
 */
record Answer(int status, ObjectNode body) {
    static Answer of(ObjectNode object) {
        return new Answer(200, object);
    }

    static Answer created(ObjectNode object) {
        return new Answer(201, object);
    }

    static Answer success(int code) {
        return new Answer(code, status(code, "", "").put("status", "Success"));
    }

    static Answer badRequest(String message) {
        return failure(400, "BadRequest", message);
    }

    static Answer notFound(ResourceType type, String name) {
        return failure(404, "NotFound", type.plural + " \"" + name + "\" not found");
    }

    static Answer noSuchPath() {
        return failure(404, "NotFound", "the server could not find the requested resource");
    }

    static Answer alreadyExists(ResourceType type, String name) {
        return failure(409, "AlreadyExists", type.plural + " \"" + name + "\" already exists");
    }

    static Answer conflict(ResourceType type, String name, String why) {
        return failure(
                409, "Conflict", "Operation cannot be fulfilled on " + type.plural + " \"" + name + "\": " + why);
    }

    static Answer forbidden(ResourceType type, String name, String why) {
        return failure(403, "Forbidden", type.plural + " \"" + name + "\" is forbidden: " + why);
    }

    static Answer invalid(String message) {
        return failure(422, "Invalid", message);
    }

    static Answer immutable(String field) {
        var answer = invalid(field + ": Invalid value: field is immutable");
        answer.body.putObject("details").putArray("causes").addObject().put("field", field);
        return answer;
    }

    static Answer unsupportedPatch(String contentType) {
        return failure(415, "UnsupportedMediaType", "this patch type is not accepted: " + contentType);
    }

    static Answer failure(int code, String reason, String message) {
        return new Answer(code, status(code, reason, message));
    }

    /** The event that ends a watch if its begin is not stored any more. */
    static ObjectNode expired(long from, long oldest) {
        return status(410, "Expired", "too old resource version: " + from + " (" + oldest + ")");
    }

    private static ObjectNode status(int code, String reason, String message) {
        var status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Failure")
                .put("message", message)
                .put("reason", reason)
                .put("code", code);
        return status;
    }
}
