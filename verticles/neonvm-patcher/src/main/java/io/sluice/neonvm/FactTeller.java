package io.sluice.neonvm;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.neonvm.core.Fact;
import java.util.List;

/** Says each fact at its address. */
final class FactTeller {
    private final Bus bus;

    FactTeller(Bus bus) {
        this.bus = bus;
    }

    void tell(List<Fact> facts) {
        facts.forEach(this::tell);
    }

    private void tell(Fact fact) {
        switch (fact) {
            case Fact.NodeCame(var seen) -> bus.publish(ClusterAddresses.NODE_SEEN, seen);
            case Fact.NodeWent(var gone) -> bus.publish(ClusterAddresses.NODE_GONE, gone);
            case Fact.PodCame(var seen) -> bus.publish(ClusterAddresses.POD_SEEN, seen);
            case Fact.PodWent(var gone) -> bus.publish(ClusterAddresses.POD_GONE, gone);
            case Fact.VmCame(var seen) -> bus.publish(ClusterAddresses.VM_SEEN, seen);
            case Fact.VmWent(var gone) -> bus.publish(ClusterAddresses.VM_GONE, gone);
            case Fact.MigrationCame(var seen) -> bus.publish(ClusterAddresses.MIGRATION_SEEN, seen);
            case Fact.MigrationWent(var gone) -> bus.publish(ClusterAddresses.MIGRATION_GONE, gone);
        }
    }
}
