package io.sluice.lab;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.core.HeldAccount;
import io.sluice.shell.Quantities;
import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Records the CPU of the fleet's VMs by the writes to their objects. Safe from any thread. */
final class VmAccountant {
    private final InstantSource clock;
    private final HeldAccount account = new HeldAccount();

    VmAccountant(InstantSource clock) {
        this.clock = clock;
    }

    /** @param gone whether the VM was deleted */
    synchronized void written(JsonNode vm, boolean gone) {
        var name = vm.path("metadata").path("name").asText();
        var cpus = vm.path("status").path("cpus");
        account.has(
                name,
                gone || cpus.isMissingNode() || cpus.isNull()
                        ? OptionalLong.empty()
                        : OptionalLong.of(Quantities.milliCpu(cpus.asText())),
                clock.instant());
    }

    synchronized Set<String> vms() {
        return account.vms();
    }

    synchronized BigInteger tolerance(String vm, Instant from, Instant to) {
        return account.tolerance(vm, from, to);
    }

    synchronized Optional<BigInteger> held(String vm, Instant from, Instant to) {
        return account.held(vm, from, to);
    }
}
