package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Records when each part of an object was last written. Which fields were written is not recorded. */
final class Writers {
    static final String FIELD = "managedFields";

    private static final String SUBRESOURCE = "subresource";

    private Writers() {}

    /** @param time in whole seconds, as API servers write it */
    static void record(ObjectNode metadata, ObjectStore.Part part, String time) {
        var written = metadata.withArray("/" + FIELD);
        var subresource = part == ObjectStore.Part.STATUS ? "status" : "";
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i).path(SUBRESOURCE).asText("").equals(subresource)) {
                written.remove(i);
            }
        }
        var entry = written.addObject().put("manager", "lab").put("operation", "Update");
        if (!subresource.isEmpty()) {
            entry.put(SUBRESOURCE, subresource);
        }
        entry.put("time", time);
    }
}
