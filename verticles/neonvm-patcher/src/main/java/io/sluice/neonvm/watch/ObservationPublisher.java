package io.sluice.neonvm.watch;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.neonvm.core.observed.Observation;
import java.util.List;

/** Publishes each observation at its address. */
final class ObservationPublisher {
    private final Bus bus;

    ObservationPublisher(Bus bus) {
        this.bus = bus;
    }

    void publish(List<Observation> observations) {
        observations.forEach(this::publish);
    }

    private void publish(Observation observation) {
        switch (observation) {
            case Observation.NodeCame(var observed) -> bus.publish(ClusterAddresses.NODE_OBSERVED, observed);
            case Observation.NodeWent(var gone) -> bus.publish(ClusterAddresses.NODE_GONE, gone);
            case Observation.PodCame(var observed) -> bus.publish(ClusterAddresses.POD_OBSERVED, observed);
            case Observation.PodWaits(var observed) -> bus.publish(ClusterAddresses.POD_PENDING, observed);
            case Observation.PodWent(var gone) -> bus.publish(ClusterAddresses.POD_GONE, gone);
            case Observation.VmCame(var observed) -> bus.publish(ClusterAddresses.VM_OBSERVED, observed);
            case Observation.VmWent(var gone) -> bus.publish(ClusterAddresses.VM_GONE, gone);
            case Observation.MigrationCame(var observed) -> bus.publish(ClusterAddresses.MIGRATION_OBSERVED, observed);
            case Observation.MigrationWent(var gone) -> bus.publish(ClusterAddresses.MIGRATION_GONE, gone);
        }
    }
}
