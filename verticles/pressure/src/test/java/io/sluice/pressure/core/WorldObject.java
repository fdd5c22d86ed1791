package io.sluice.pressure.core;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.pressure.Given;

/** A migration object in the {@link SmallWorld}. */
final class WorldObject {
    final String name;
    final String uid;
    final String vm;
    final String sourcePod;
    final String sourceNode;
    final String roomOn;
    final boolean ours;
    final long createdAt;
    final String attempt;
    MigrationPhase phase = MigrationPhase.NEW;
    String targetPod = "";
    String targetNode = "";
    boolean deleting;
    long version;

    WorldObject(String name, String uid, WorldVm vm, String roomOn, String attempt, long createdAt) {
        this.name = name;
        this.uid = uid;
        this.vm = vm.name;
        this.sourcePod = vm.pod;
        this.sourceNode = vm.node;
        this.roomOn = roomOn;
        this.ours = !attempt.isEmpty();
        this.attempt = ours ? attempt : uid;
        this.createdAt = createdAt;
    }

    boolean live() {
        return !phase.ended();
    }

    MigrationObserved observation() {
        return new MigrationObserved(
                Given.DRIVER,
                Given.NAMESPACE,
                name,
                uid,
                version,
                vm,
                phase,
                sourcePod + "-pod",
                targetPod.isEmpty() ? "" : targetPod + "-pod",
                roomOn,
                ours,
                deleting,
                createdAt,
                attempt);
    }
}
