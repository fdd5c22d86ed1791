package io.sluice.lab.migration;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.migration.core.LabMigrationView.Vm;
import io.sluice.lab.migration.core.MigrationFault;
import io.sluice.lab.migration.core.MigrationStep;
import io.sluice.lab.migration.core.TargetPlacement;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Performs the steps of migrations through the API. An interrupted step is repeated with the objects as they are then,
 * so each of its writes may already have been applied.
 */
final class MigrationWork {
    private static final String PHASE = "phase";
    private static final String RUNNING = "Running";
    private static final int POD_SUFFIX = 8;

    private static final long APART_MS = 500;

    private final Vertx vertx;
    private final ApiClient api;
    private final SchedulerStandIn scheduler;

    MigrationWork(Vertx vertx, ApiClient api) {
        this.vertx = vertx;
        this.api = api;
        this.scheduler = new SchedulerStandIn(api);
    }

    /** Completes once the step is done. */
    Future<Void> perform(MigrationStep step, Scene scene, Optional<MigrationFault> fault) {
        return switch (step) {
            case WAIT, REST -> Future.succeededFuture();
            case ADOPT -> adopt(scene);
            case BEGIN -> begin(scene);
            case CREATE_TARGET -> createTarget(scene);
            case BIND_TARGET -> bindTarget(scene, fault);
            case START_TARGET -> startTarget(scene);
            case BEGIN_COPY -> beginCopy(scene);
            case KILL_TARGET, DROP_TARGET ->
                api.delete(LabPaths.pod(scene.migration().targetPod()));
            case SWITCH_OVER -> switchOver(scene, fault);
            case FAIL -> status(scene.migration(), new JsonObject().put(PHASE, "Failed"));
            case DROP_SOURCE -> dropSource(scene.migration());
            case FREE_VM -> vmStatus(scene, new JsonObject().put(PHASE, RUNNING));
            case LET_GO -> letGo(scene);
        };
    }

    private Future<Void> adopt(Scene scene) {
        var migration = scene.migration();
        var owners = scene.vm().map(vm -> controlledBy(vm, migration.owners())).orElseGet(migration::owners);
        var metadata = new JsonObject()
                .put("resourceVersion", migration.version())
                .put("finalizers", migration.finalizers().copy().add(LabMigrationObject.FINALIZER))
                .put("ownerReferences", owners);
        return api.merge(migration.path(), new JsonObject().put("metadata", metadata))
                .mapEmpty();
    }

    /** The creator may have named the VM as an owner already; an object has one controller. */
    private static JsonArray controlledBy(JsonObject vm, JsonArray owners) {
        var controller = RunnerPod.owner(vm, true);
        var all = new JsonArray().add(controller);
        owners.stream()
                .map(JsonObject.class::cast)
                .filter(owner -> !owner.getString("uid").equals(controller.getString("uid")))
                .forEach(all::add);
        return all;
    }

    private Future<Void> begin(Scene scene) {
        var source = vm(scene).getJsonObject("status");
        var pending = new JsonObject()
                .put(PHASE, "Pending")
                .put("sourcePodName", source.getString("podName"))
                .put("sourcePodIP", source.getString("podIP"))
                .put(
                        "targetPodName",
                        scene.migration().vmName() + "-"
                                + scene.migration().uid().substring(0, POD_SUFFIX));
        return unlessVmIs(Vm.LOCKED, scene, new JsonObject().put(PHASE, "PreMigrating"))
                .compose(locked -> status(scene.migration(), pending));
    }

    private Future<Void> createTarget(Scene scene) {
        var vm = vm(scene);
        var migration = scene.migration();
        var source = new JsonArray().add(RunnerPod.owner(vm, true)).add(RunnerPod.owner(migration.json(), false));
        var target =
                new JsonArray().add(RunnerPod.owner(migration.json(), true)).add(RunnerPod.owner(vm, false));
        return owners(migration.sourcePod(), source)
                .compose(owned -> api.create(LabPaths.PODS, RunnerPod.of(vm, migration.targetPod(), target)))
                .mapEmpty();
    }

    private Future<Void> bindTarget(Scene scene, Optional<MigrationFault> fault) {
        var migration = scene.migration();
        var host = vm(scene).getJsonObject("status").getString("node", "");
        boolean elsewhere = fault.filter(MigrationFault.LANDS_ELSEWHERE::equals).isPresent();
        return scheduler.bind(
                migration.targetPod(),
                new TargetPlacement(migration.roomOn(), migration.staysOffItsHost() ? host : "", elsewhere));
    }

    /** The target's address is the guest's, which moves with it: connections to the guest stay open. */
    private Future<Void> startTarget(Scene scene) {
        var running = new JsonObject().put(PHASE, RUNNING).put("podIP", podIp(scene));
        return api.merge(
                        LabPaths.pod(scene.migration().targetPod()) + "/status",
                        new JsonObject().put("status", running))
                .mapEmpty();
    }

    private Future<Void> beginCopy(Scene scene) {
        var running = new JsonObject().put(PHASE, RUNNING).put("targetPodIP", podIp(scene));
        return unlessVmIs(Vm.COPYING, scene, new JsonObject().put(PHASE, "Migrating"))
                .compose(copying -> status(scene.migration(), running));
    }

    private Future<Void> switchOver(Scene scene, Optional<MigrationFault> fault) {
        var vm = vm(scene);
        var migration = scene.migration();
        var target = new JsonArray().add(RunnerPod.owner(vm, true));
        var source = new JsonArray().add(RunnerPod.owner(vm, false)).add(RunnerPod.owner(migration.json(), false));
        return nameTarget(scene, fault)
                .compose(moved -> owners(migration.targetPod(), target))
                .compose(owned -> owners(migration.sourcePod(), source))
                .compose(owned -> status(migration, new JsonObject().put(PHASE, "Succeeded")));
    }

    /** Writes pod and node to the VM's status; at once, unless a fault separates them. */
    private Future<Void> nameTarget(Scene scene, Optional<MigrationFault> fault) {
        var pod = new JsonObject()
                .put(PHASE, RUNNING)
                .put("podName", scene.migration().targetPod());
        var node = new JsonObject();
        scene.target().ifPresent(found -> {
            pod.put("podIP", found.getJsonObject("status").getString("podIP"));
            node.put("node", found.getJsonObject("spec").getString("nodeName"));
        });
        if (fault.filter(MigrationFault.NAMES_ITS_POD_FIRST::equals).isPresent()) {
            return apart(unlessVmIs(Vm.MOVED, scene, pod), scene, node);
        }
        if (fault.filter(MigrationFault.NAMES_ITS_NODE_FIRST::equals).isPresent()) {
            return apart(unlessVmIs(Vm.MOVED, scene, node), scene, pod);
        }
        return unlessVmIs(Vm.MOVED, scene, pod.mergeIn(node));
    }

    private Future<Void> apart(Future<Void> first, Scene scene, JsonObject second) {
        var path = LabPaths.vm(scene.migration().vmName()) + "/status";
        return first.compose(written -> vertx.timer(APART_MS))
                .compose(later -> api.merge(path, new JsonObject().put("status", second)))
                .mapEmpty();
    }

    private Future<Void> dropSource(LabMigrationObject migration) {
        return api.delete(LabPaths.pod(migration.sourcePod()))
                .compose(dropped -> status(
                        migration, new JsonObject().putNull("sourcePodName").putNull("sourcePodIP")));
    }

    private Future<Void> letGo(Scene scene) {
        var migration = scene.migration();
        var state = scene.view().vm();
        boolean held = state == Vm.LOCKED || state == Vm.COPYING;
        var freed = held ? vmStatus(scene, new JsonObject().put(PHASE, RUNNING)) : Future.<Void>succeededFuture();
        var unused = state == Vm.MOVED ? migration.sourcePod() : migration.targetPod();
        return freed.compose(free -> unused.isEmpty() ? Future.succeededFuture() : api.delete(LabPaths.pod(unused)))
                .compose(dropped -> release(migration));
    }

    private Future<Void> release(LabMigrationObject migration) {
        var finalizers = migration.finalizers().copy();
        finalizers.remove(LabMigrationObject.FINALIZER);
        var metadata =
                new JsonObject().put("resourceVersion", migration.version()).put("finalizers", finalizers);
        return api.merge(migration.path(), new JsonObject().put("metadata", metadata))
                .mapEmpty();
    }

    private Future<Void> owners(String pod, JsonArray owners) {
        var metadata = new JsonObject().put("ownerReferences", owners);
        return api.mergeIfThere(LabPaths.pod(pod), new JsonObject().put("metadata", metadata));
    }

    private Future<Void> status(LabMigrationObject migration, JsonObject changes) {
        return api.merge(migration.path() + "/status", new JsonObject().put("status", changes))
                .mapEmpty();
    }

    private Future<Void> unlessVmIs(Vm state, Scene scene, JsonObject changes) {
        return scene.view().vm() == state ? Future.succeededFuture() : vmStatus(scene, changes);
    }

    /** Fails if the VM was written in between: its other controller may just have begun to scale it. */
    private Future<Void> vmStatus(Scene scene, JsonObject changes) {
        var metadata = vm(scene).getJsonObject("metadata");
        var body = new JsonObject()
                .put("metadata", new JsonObject().put("resourceVersion", metadata.getString("resourceVersion")))
                .put("status", changes);
        return api.merge(LabPaths.vm(metadata.getString("name")) + "/status", body)
                .mapEmpty();
    }

    private static String podIp(Scene scene) {
        return vm(scene).getJsonObject("status").getString("podIP");
    }

    /** The rules choose steps that need the VM only if it exists. */
    private static JsonObject vm(Scene scene) {
        return scene.vm().orElseThrow();
    }
}
