package io.sluice.lab.migration;

import io.sluice.lab.migration.core.MigrationView;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Everything that takes part in a migration, as it was read for one step.
 *
 * @param migration the object
 * @param vm the VM that moves
 * @param target the pod that it moves to
 * @param holder the migration that has the VM, by uid, if any
 * @param made whether the target pod was made
 */
record Scene(
        MigrationObject migration,
        Optional<JsonObject> vm,
        Optional<JsonObject> target,
        Optional<String> holder,
        boolean made) {
    MigrationView view() {
        return new MigrationView(
                migration.phase(),
                migration.deleting(),
                migration.adopted(),
                vm.map(this::vmState).orElse(MigrationView.Vm.GONE),
                target.map(Scene::targetState)
                        .orElse(made ? MigrationView.Target.ENDED : MigrationView.Target.NOT_MADE),
                !migration.sourcePod().isEmpty());
    }

    private MigrationView.Vm vmState(JsonObject object) {
        var status = object.getJsonObject("status", new JsonObject());
        if (!migration.targetPod().isEmpty() && migration.targetPod().equals(status.getString("podName"))) {
            return MigrationView.Vm.MOVED;
        }
        boolean mine = holder.filter(migration.uid()::equals).isPresent();
        return switch (status.getString("phase", "")) {
            case "Running" -> mine || holder.isEmpty() ? MigrationView.Vm.FREE : MigrationView.Vm.BUSY;
            case "PreMigrating" -> mine ? MigrationView.Vm.LOCKED : MigrationView.Vm.BUSY;
            case "Migrating" -> mine ? MigrationView.Vm.COPYING : MigrationView.Vm.BUSY;
            default -> MigrationView.Vm.BUSY;
        };
    }

    private static MigrationView.Target targetState(JsonObject pod) {
        return switch (pod.getJsonObject("status", new JsonObject()).getString("phase", "")) {
            case "Running" -> MigrationView.Target.RUNNING;
            case "Succeeded", "Failed" -> MigrationView.Target.ENDED;
            default ->
                pod.getJsonObject("spec").getString("nodeName", "").isEmpty()
                        ? MigrationView.Target.UNBOUND
                        : MigrationView.Target.STARTING;
        };
    }
}
