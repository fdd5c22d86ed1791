package io.sluice.billing.core.exact;

import io.sluice.shell.Assignment;
import io.sluice.units.VmId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Who bills: this one, and those with whom it shares VMs.
 *
 * @param self this one's name among them
 * @param isShared whether others may bill the same VMs, now or ever
 * @param oldestFirst who bills now, as this one sees it; all who see the same see the same order
 */
public record BillingPeers(String self, boolean isShared, Supplier<List<String>> oldestFirst) {
    /** One to whom all VMs are left. */
    public static final BillingPeers NONE = new BillingPeers("", false, () -> List.of(""));

    /** Those who were here before this one, and still are. */
    Set<String> elders() {
        return oldestFirst.get().stream().takeWhile(name -> !name.equals(self)).collect(Collectors.toSet());
    }

    /** Whose a VM is among some; empty if there are none. */
    static String holder(VmId vm, Collection<String> among) {
        return Assignment.holder(vm.uid(), among).orElse("");
    }
}
