package io.sluice.lab.migration;

import io.sluice.lab.api.LabPaths;
import io.sluice.lab.migration.core.LabMigrationView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Reads a VirtualMachineMigration.
 *
 * @param json the object
 */
record LabMigrationObject(JsonObject json) {
    static final String FINALIZER = "vm.neon.tech/finalizer";
    private static final String ROOM_ON = "internal.autoscaling.sluice.io/room-on";

    String name() {
        return metadata().getString("name");
    }

    String uid() {
        return metadata().getString("uid");
    }

    String version() {
        return metadata().getString("resourceVersion");
    }

    String path() {
        return LabPaths.migration(name());
    }

    String vmName() {
        return json.getJsonObject("spec", new JsonObject()).getString("vmName", "");
    }

    boolean staysOffItsHost() {
        return json.getJsonObject("spec", new JsonObject()).getBoolean("preventMigrationToSameHost", true);
    }

    /** The node that has room for the VM; empty if the object names none. */
    String roomOn() {
        return metadata().getJsonObject("annotations", new JsonObject()).getString(ROOM_ON, "");
    }

    String sourcePod() {
        return status().getString("sourcePodName", "");
    }

    String targetPod() {
        return status().getString("targetPodName", "");
    }

    boolean deleting() {
        return metadata().containsKey("deletionTimestamp");
    }

    boolean adopted() {
        return finalizers().contains(FINALIZER);
    }

    JsonArray finalizers() {
        return metadata().getJsonArray("finalizers", new JsonArray());
    }

    JsonArray owners() {
        return metadata().getJsonArray("ownerReferences", new JsonArray());
    }

    LabMigrationView.Phase phase() {
        return switch (status().getString("phase", "")) {
            case "Pending" -> LabMigrationView.Phase.PENDING;
            case "Running" -> LabMigrationView.Phase.RUNNING;
            case "Succeeded" -> LabMigrationView.Phase.SUCCEEDED;
            case "Failed" -> LabMigrationView.Phase.FAILED;
            default -> LabMigrationView.Phase.NEW;
        };
    }

    private JsonObject metadata() {
        return json.getJsonObject("metadata");
    }

    private JsonObject status() {
        return json.getJsonObject("status", new JsonObject());
    }
}
