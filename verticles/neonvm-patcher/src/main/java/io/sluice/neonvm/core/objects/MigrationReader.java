package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.AttemptId;

/** Reads VirtualMachineMigration objects. Unknown fields are ignored. */
public final class MigrationReader {
    private MigrationReader() {}

    /**
     * The observation of a migration.
     *
     * @throws IllegalArgumentException if a field is missing
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

    /** The annotation counts only on migrations that Sluice created, and only if it is a valid attempt id. */
    private static String attempt(boolean ours, String written, String uid) {
        return ours && AttemptId.isValid(written) ? written : uid;
    }

    /** An unknown phase counts as a migration that has begun. */
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
