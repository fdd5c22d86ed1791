package io.sluice.neonvm;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.neonvm.core.Observation;
import java.util.List;

/** Says each fact at its address. */
final class ObservationPublisher {
    private final Bus bus;

    ObservationPublisher(Bus bus) {
        this.bus = bus;
    }

    void tell(List<Observation> facts) {
        facts.forEach(this::tell);
    }

    private void tell(Observation fact) {
        switch (fact) {
            case Observation.NodeCame(var seen) -> bus.publish(ClusterAddresses.NODE_SEEN, seen);
            case Observation.NodeWent(var gone) -> bus.publish(ClusterAddresses.NODE_GONE, gone);
            case Observation.PodCame(var seen) -> bus.publish(ClusterAddresses.POD_SEEN, seen);
            case Observation.PodWent(var gone) -> bus.publish(ClusterAddresses.POD_GONE, gone);
            case Observation.VmCame(var seen) -> bus.publish(ClusterAddresses.VM_SEEN, seen);
            case Observation.VmWent(var gone) -> bus.publish(ClusterAddresses.VM_GONE, gone);
            case Observation.MigrationCame(var seen) -> bus.publish(ClusterAddresses.MIGRATION_SEEN, seen);
            case Observation.MigrationWent(var gone) -> bus.publish(ClusterAddresses.MIGRATION_GONE, gone);
        }
    }
}
