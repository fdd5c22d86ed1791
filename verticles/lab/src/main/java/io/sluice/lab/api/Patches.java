package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.EnumSet;

/** Applies patches by the rules of API servers, which are more lenient than the standard in two cases. */
final class Patches {
    private static final EnumSet<CompatibilityFlags> LENIENT = EnumSet.of(
            CompatibilityFlags.ALLOW_MISSING_TARGET_OBJECT_ON_REPLACE, CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT);

    private Patches() {}

    /** The reason why a patch does not fit its object. */
    static final class DoesNotFitException extends Exception {
        private static final long serialVersionUID = 1L;

        DoesNotFitException(String message) {
            super(message);
        }
    }

    /**
     * Applies a JSON Patch: {@code replace} sets an absent key of an existing map, and {@code test} treats it as null.
     */
    static JsonNode json(JsonNode object, ArrayNode operations) throws DoesNotFitException {
        var patched = object;
        for (var operation : operations) {
            if (isTestForAbsence(patched, operation)) {
                continue;
            }
            try {
                var single = JsonNodeFactory.instance.arrayNode().add(operation);
                patched = JsonPatch.apply(single, patched, LENIENT);
            } catch (JsonPatchException doesNotFit) {
                throw new DoesNotFitException(
                        "the server rejected our request due to an error in our request: " + doesNotFit.getMessage());
            }
        }
        return patched;
    }

    /** Applies a merge patch: null removes, objects merge, everything else replaces. */
    static JsonNode merge(JsonNode object, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        var merged = object instanceof ObjectNode known ? known.deepCopy() : JsonNodeFactory.instance.objectNode();
        changes.properties().forEach(change -> {
            if (change.getValue().isNull()) {
                merged.remove(change.getKey());
            } else {
                merged.set(change.getKey(), merge(merged.path(change.getKey()), change.getValue()));
            }
        });
        return merged;
    }

    private static boolean isTestForAbsence(JsonNode object, JsonNode operation) {
        var path = operation.path("path").asText();
        int last = path.lastIndexOf('/');
        return "test".equals(operation.path("op").asText())
                && operation.path("value").isNull()
                && last >= 0
                && object.at(path.substring(0, last)).isObject()
                && object.at(path).isMissingNode();
    }
}
