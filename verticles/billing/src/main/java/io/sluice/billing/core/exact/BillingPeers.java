package io.sluice.billing.core.exact;

import io.sluice.shell.Assignment;
import io.sluice.units.VmId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The processes that share the billing of VMs.
 *
 * @param self the name of this process
 * @param isShared whether other processes may bill the same VMs, now or later
 * @param oldestFirst the processes that bill now, as this process sees them; equal views have equal order
 */
public record BillingPeers(String self, boolean isShared, Supplier<List<String>> oldestFirst) {
    /** A single process that bills all VMs. */
    public static final BillingPeers NONE = new BillingPeers("", false, () -> List.of(""));

    /** The processes that were present before this one, and still are. */
    Set<String> elders() {
        return oldestFirst.get().stream().takeWhile(name -> !name.equals(self)).collect(Collectors.toSet());
    }

    /** Returns the process to which a VM is assigned among the given ones; empty if there are none. */
    static String holder(VmId vm, Collection<String> among) {
        return Assignment.holder(vm.uid(), among).orElse("");
    }
}
