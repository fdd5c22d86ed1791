package io.sluice.lab;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.core.HeldAccount;
import io.sluice.shell.Quantities;
import io.sluice.units.ScaledPodKeys;
import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

/** Records the CPU of what is billed of the fleet by the writes to its objects. Safe from any thread. */
final class VmAccountant {
    private final InstantSource clock;
    private final HeldAccount account = new HeldAccount();

    VmAccountant(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Takes a write of a VM, or of a pod.
     *
     * @param gone whether it was deleted
     */
    synchronized void written(JsonNode object, boolean gone) {
        boolean isPod = object.path("kind").asText().equals("Pod");
        var cpus = isPod ? podCpus(object) : milliCpu(object.path("status").path("cpus"));
        account.has(object.path("metadata").path("name").asText(), gone ? OptionalLong.empty() : cpus, clock.instant());
    }

    /** The most of what is allocated and in force; of pods that are billed alone. */
    private static OptionalLong podCpus(JsonNode pod) {
        var container = pod.at("/status/containerStatuses/0");
        return pod.path("metadata").path("annotations").has(ScaledPodKeys.BILLED_TO)
                ? LongStream.concat(
                                milliCpu(container.at("/allocatedResources/cpu")).stream(),
                                milliCpu(container.at("/resources/requests/cpu")).stream())
                        .max()
                : OptionalLong.empty();
    }

    private static OptionalLong milliCpu(JsonNode quantity) {
        return quantity.isMissingNode() || quantity.isNull()
                ? OptionalLong.empty()
                : OptionalLong.of(Quantities.milliCpu(quantity.asText()));
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
