package io.sluice.lab.migration;

import io.sluice.lab.migration.core.LabMigrationView;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * All objects of a migration, as read for one step.
 *
 * @param migration the object
 * @param vm the VM that moves
 * @param target the pod to which it moves
 * @param holder the uid of the migration that has locked the VM, if any
 * @param made whether the target pod was created
 */
record Scene(
        LabMigrationObject migration,
        Optional<JsonObject> vm,
        Optional<JsonObject> target,
        Optional<String> holder,
        boolean made) {
    LabMigrationView view() {
        return new LabMigrationView(
                migration.phase(),
                migration.deleting(),
                migration.adopted(),
                vm.map(this::vmState).orElse(LabMigrationView.Vm.GONE),
                target.map(Scene::targetState)
                        .orElse(made ? LabMigrationView.Target.ENDED : LabMigrationView.Target.NOT_MADE),
                !migration.sourcePod().isEmpty());
    }

    private LabMigrationView.Vm vmState(JsonObject object) {
        var status = object.getJsonObject("status", new JsonObject());
        if (!migration.targetPod().isEmpty() && migration.targetPod().equals(status.getString("podName"))) {
            return LabMigrationView.Vm.MOVED;
        }
        boolean mine = holder.filter(migration.uid()::equals).isPresent();
        return switch (status.getString("phase", "")) {
            case "Running" -> mine || holder.isEmpty() ? LabMigrationView.Vm.FREE : LabMigrationView.Vm.BUSY;
            case "PreMigrating" -> mine ? LabMigrationView.Vm.LOCKED : LabMigrationView.Vm.BUSY;
            case "Migrating" -> mine ? LabMigrationView.Vm.COPYING : LabMigrationView.Vm.BUSY;
            default -> LabMigrationView.Vm.BUSY;
        };
    }

    private static LabMigrationView.Target targetState(JsonObject pod) {
        return switch (pod.getJsonObject("status", new JsonObject()).getString("phase", "")) {
            case "Running" -> LabMigrationView.Target.RUNNING;
            case "Succeeded", "Failed" -> LabMigrationView.Target.ENDED;
            default ->
                pod.getJsonObject("spec").getString("nodeName", "").isEmpty()
                        ? LabMigrationView.Target.UNBOUND
                        : LabMigrationView.Target.STARTING;
        };
    }
}
