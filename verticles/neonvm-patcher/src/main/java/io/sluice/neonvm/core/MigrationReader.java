package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.MigrationSeen;

/** Reads VirtualMachineMigration objects. Unknown fields are ignored. */
public final class MigrationReader {
    private MigrationReader() {}

    /**
     * The fact about a migration.
     *
     * @throws IllegalArgumentException when a field is missing
     */
    public static MigrationSeen read(JsonNode migration) {
        var metadata = migration.path("metadata");
        var status = migration.path("status");
        return new MigrationSeen(
                NeonVmKeys.DRIVER,
                Json.text(metadata, "namespace"),
                Json.text(metadata, "name"),
                Json.text(metadata, "uid"),
                Json.version(migration),
                Json.text(migration.path("spec"), "vmName"),
                phase(status.path("phase").asText("")),
                status.path("sourcePodName").asText(""),
                status.path("targetPodName").asText(""),
                Json.metadata(migration, "annotations", NeonVmKeys.ROOM_ON),
                NeonVmKeys.TRUE.equals(Json.metadata(migration, "labels", NeonVmKeys.CREATED_BY_SCHEDULER)),
                metadata.hasNonNull("deletionTimestamp"),
                Json.createdAtSeconds(migration));
    }

    /** A phase that nobody knows yet counts as one that something was begun in. */
    private static MigrationPhase phase(String phase) {
        return switch (phase) {
            case "" -> MigrationPhase.NEW;
            case "Running" -> MigrationPhase.RUNNING;
            case "Succeeded" -> MigrationPhase.SUCCEEDED;
            case "Failed" -> MigrationPhase.FAILED;
            default -> MigrationPhase.PENDING;
        };
    }
}
