package io.sluice.simulation.model;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import java.util.Optional;

/** A migration as the API server stores it. */
final class MoveObject {
    final String uid;
    final String name;
    final ModelVmObject vm;
    final String roomOn;
    final boolean ours;
    final String attempt;
    final long createdAtSeconds;
    final PodObject source;
    Optional<PodObject> target = Optional.empty();
    MigrationPhase phase = MigrationPhase.NEW;
    boolean deleting;
    boolean there = true;
    long version;

    MoveObject(String uid, String name, ModelVmObject vm, String roomOn, String attempt, long createdAt) {
        this.uid = uid;
        this.name = name;
        this.vm = vm;
        this.roomOn = roomOn;
        this.ours = !attempt.isEmpty();
        this.attempt = ours ? attempt : uid;
        this.createdAtSeconds = createdAt;
        this.source = vm.pod.orElseThrow();
    }

    boolean live() {
        return there && !phase.ended();
    }

    MigrationObserved observation() {
        return new MigrationObserved(
                vm.id.driver(),
                ModelVmObject.NAMESPACE,
                name,
                uid,
                version,
                vm.id.name(),
                phase,
                source.name,
                target.map(it -> it.name).orElse(""),
                roomOn,
                ours,
                deleting,
                createdAtSeconds,
                attempt);
    }
}
