package io.sluice.billing;

import io.sluice.billing.core.BillingScope;
import io.sluice.billing.core.VmUse;
import io.sluice.messages.cluster.VmObserved;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads from observations of VMs what is billed. */
final class VmUseReader {
    private final BillingScope scope;

    VmUseReader(BillingScope scope) {
        this.scope = scope;
    }

    VmUse of(VmObserved vm) {
        var milliCpu = vm.sizes()
                .status()
                .map(status -> OptionalLong.of(status.milliCpu()))
                .orElseGet(OptionalLong::empty);
        var billedTo = vm.traits().billedTo();
        var use = scope.covers(vm.node(), billedTo, vm.phase(), milliCpu)
                ? Optional.of(new VmUse.Use(billedTo.orElseThrow(), milliCpu.getAsLong()))
                : Optional.<VmUse.Use>empty();
        return new VmUse(
                vm.vm(), vm.version(), use, Instant.ofEpochSecond(vm.traits().changedAtSeconds()));
    }
}
