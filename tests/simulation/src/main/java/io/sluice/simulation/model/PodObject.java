package io.sluice.simulation.model;

import io.sluice.devices.GpuDemand;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.simulation.model.placement.ModelPod;
import io.sluice.simulation.model.pods.ScaledPodObject;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.Optional;

/** A pod as the API server stores it: a VM's runner pod, or any other. */
final class PodObject {
    final String uid;
    final String name;
    final String node;
    final Optional<ModelVmObject> vm;
    final long createdAtSeconds;
    final boolean byMigration;
    long version;
    Resources amounts;
    String migration;
    FixedAmounts fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L));
    GpuDemand gpus = GpuDemand.NONE;
    boolean there = true;

    PodObject(
            String name, String node, Optional<ModelVmObject> vm, Resources amounts, String migration, long createdAt) {
        this.uid = "uid-of-" + name;
        this.name = name;
        this.node = node;
        this.vm = vm;
        this.amounts = amounts;
        this.migration = migration;
        this.byMigration = !migration.isEmpty();
        this.createdAtSeconds = createdAt;
    }

    /** A pod that was placed. */
    static PodObject bound(ModelPod pod, long createdAt) {
        var node = pod.boundTo().orElseThrow();
        var bound = new PodObject(pod.name(), node, Optional.empty(), pod.amounts(), "", createdAt);
        bound.fixed = pod.fixed();
        bound.gpus = pod.gpus();
        return bound;
    }

    PodObserved observation() {
        return scaled().map(pod -> PodReader.read(pod.json()).observed()).orElseGet(this::plain);
    }

    /** The pod that is resized in place, if it is one. */
    Optional<ScaledPodObject> scaled() {
        return vm.filter(ModelVmObject::isPod).map(ModelVmObject::scaledPod);
    }

    private PodObserved plain() {
        return new PodObserved(
                uid,
                ModelVmObject.NAMESPACE,
                name,
                node,
                vm.map(it -> it.id.name()).orElse(""),
                version,
                amounts,
                createdAtSeconds,
                migration,
                0,
                fixed,
                gpus);
    }
}
