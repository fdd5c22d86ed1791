package io.sluice.billing.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** A line is not a billing event. The message names the field, its expected value and its value. */
public final class UnreadableEventException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableEventException(String field, String expected, JsonNode found) {
        super(field + " should be " + expected + (found.isMissingNode() ? " and is missing" : ", not " + found));
    }

    UnreadableEventException(JsonProcessingException notJson) {
        super("the line should be JSON: " + notJson.getOriginalMessage() + ", in column "
                + (notJson.getLocation() == null ? 1 : notJson.getLocation().getColumnNr()));
    }
}
