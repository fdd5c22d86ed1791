package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.AttemptId;

/** Reads VirtualMachineMigration objects. Unknown fields are ignored. */
public final class MigrationReader {
    private MigrationReader() {}

    /**
     * The fact about a migration.
     *
     * @throws IllegalArgumentException when a field is missing
     */
    public static MigrationObserved read(JsonNode migration) {
        var metadata = migration.path("metadata");
        boolean ours =
                NeonVmKeys.TRUE.equals(KubernetesJson.metadata(migration, "labels", NeonVmKeys.CREATED_BY_SCHEDULER));
        var uid = KubernetesJson.text(metadata, "uid");
        var status = migration.path("status");
        return new MigrationObserved(
                NeonVmKeys.DRIVER,
                KubernetesJson.text(metadata, "namespace"),
                KubernetesJson.text(metadata, "name"),
                uid,
                KubernetesJson.version(migration),
                KubernetesJson.text(migration.path("spec"), "vmName"),
                phase(status.path("phase").asText("")),
                status.path("sourcePodName").asText(""),
                status.path("targetPodName").asText(""),
                KubernetesJson.metadata(migration, "annotations", NeonVmKeys.ROOM_ON),
                ours,
                metadata.hasNonNull("deletionTimestamp"),
                KubernetesJson.createdAtSeconds(migration),
                attempt(ours, KubernetesJson.metadata(migration, "annotations", NeonVmKeys.ATTEMPT), uid));
    }

    /** What others write there names no attempt of ours, and nor does what no attempt could be called. */
    private static String attempt(boolean ours, String written, String uid) {
        return ours && AttemptId.isValid(written) ? written : uid;
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
