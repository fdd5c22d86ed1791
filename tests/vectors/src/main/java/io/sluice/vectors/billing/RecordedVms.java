package io.sluice.vectors.billing;

import io.sluice.billing.core.BillingScope;
import io.sluice.billing.core.MeterKey;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.VmId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The VMs that exist at a point of a recording, and which of them a collector observes. */
final class RecordedVms {
    private static final BillingScope SCOPE = BillingScope.ofNode("here");

    private record Vm(String node, Optional<String> endpoint, VmPhase phase, OptionalLong milliCpu) {}

    private final Map<String, Vm> vms = new HashMap<>();
    private boolean failing;

    /** Sets the state of a VM. */
    void put(Values vm) {
        vms.put(
                vm.text("uid"),
                new Vm(
                        vm.text("node"),
                        vm.has("endpoint") ? Optional.of(vm.text("endpoint")) : Optional.empty(),
                        phase(vm),
                        vm.has("cpus") ? OptionalLong.of(vm.whole("cpus")) : OptionalLong.empty()));
    }

    void remove(Values vm) {
        vms.remove(vm.text("uid"));
    }

    /** Sets whether no observation is possible. */
    void fail(boolean now) {
        failing = now;
    }

    Map<MeterKey, Long> observed() {
        var observed = new HashMap<MeterKey, Long>();
        if (failing) {
            return observed;
        }
        vms.forEach((uid, vm) -> {
            if (SCOPE.covers(vm.node(), vm.endpoint(), vm.phase(), vm.milliCpu())) {
                var id = new VmId("neonvm", "recorded", uid, uid);
                observed.put(
                        new MeterKey(id, vm.endpoint().orElseThrow()),
                        vm.milliCpu().getAsLong());
            }
        });
        return observed;
    }

    private static VmPhase phase(Values vm) {
        return switch (vm.text("phase")) {
            case "Running" -> VmPhase.RUNNING;
            case "Scaling" -> VmPhase.SCALING;
            case "PreMigrating" -> VmPhase.PRE_MIGRATING;
            case "Migrating" -> VmPhase.MIGRATING;
            case "", "Pending" -> VmPhase.PENDING;
            case "Succeeded", "Failed", "Unknown" -> VmPhase.ENDED;
            case String other -> throw vm.line().malformed("no such phase: " + other);
        };
    }
}
