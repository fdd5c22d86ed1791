package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Notes on an object when each of its parts was last written; which fields that were is not kept. */
final class Writers {
    static final String FIELD = "managedFields";

    private static final String SUBRESOURCE = "subresource";

    private Writers() {}

    /** @param time in whole seconds, as API servers write it */
    static void note(ObjectNode metadata, ObjectStore.Part part, String time) {
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
