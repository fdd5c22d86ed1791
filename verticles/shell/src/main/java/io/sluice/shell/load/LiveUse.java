package io.sluice.shell.load;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What VMs use, by the statuses of their runners: the mean between mean and peak of the last minutes. A VM whose last
 * status is old, or that has none, does not count as idle: its use is unknown. The number of VMs is bounded.
 */
public final class LiveUse {
    /** A runner publishes its status at least every 30 s; after three that did not come, the VM's use is unknown. */
    public static final Duration FRESH = Duration.ofSeconds(90);

    /** After this time a sample counts a third of what it counted: e to the minus one. */
    private static final double DECAY_SECONDS = 180;

    private static final double MILLI = 1000;

    private final int most;
    private final Map<String, VmUse> byPod = new HashMap<>();

    /** @param most the largest number of VMs */
    public LiveUse(int most) {
        this.most = most;
    }

    /**
     * One kind of a VM's use. Between two samples the earlier one holds.
     *
     * @param last the last sample
     * @param mean weighted by time, and by age
     * @param peak the largest, which sinks to the mean with age
     */
    private record DecayingUse(double last, double mean, double peak) {
        static DecayingUse of(double first) {
            return new DecayingUse(first, first, first);
        }

        DecayingUse next(double sample, double seconds) {
            double kept = Math.exp(-seconds / DECAY_SECONDS);
            double newMean = mean * kept + last * (1 - kept);
            double sunk = newMean + Math.max(0, peak - newMean) * kept;
            return new DecayingUse(sample, newMean, Math.max(sunk, sample));
        }

        long expected() {
            return Math.round((mean + peak) / 2);
        }
    }

    private record VmUse(String node, Resources charge, Instant at, DecayingUse cpu, DecayingUse memory) {
        Resources expected() {
            return new Resources(cpu.expected(), memory.expected());
        }

        boolean isFresh(Instant now) {
            return now.isBefore(at.plus(FRESH));
        }
    }

    /**
     * Takes a runner's status. What it does not report counts as all of the VM's size; a load above the size counts as
     * the size, as the VM can use no more.
     *
     * @param overcommit of the VM
     * @return false if there are too many VMs
     */
    public boolean received(RunnerStatus status, Overcommit overcommit, Instant now) {
        var known = byPod.get(status.pod());
        if (known == null && byPod.size() >= most) {
            return false;
        }
        var size = status.size();
        double cpu = Math.min(status.basis().load1().orElse(Double.MAX_VALUE) * MILLI, size.milliCpu());
        double memory = Math.min(status.basis().usageBytes().orElse(Double.MAX_VALUE), size.memoryBytes());
        boolean goesOn = known != null && known.isFresh(now) && !now.isBefore(known.at());
        double seconds = goesOn ? Duration.between(known.at(), now).toMillis() / MILLI : 0;
        byPod.put(
                status.pod(),
                new VmUse(
                        status.node(),
                        overcommit.charge(size),
                        now,
                        goesOn ? known.cpu().next(cpu, seconds) : DecayingUse.of(cpu),
                        goesOn ? known.memory().next(memory, seconds) : DecayingUse.of(memory)));
        return true;
    }

    /** Removes the VM of a pod that ended. */
    public void gone(String pod) {
        byPod.remove(pod);
    }

    /** Removes VMs whose use is unknown by now. */
    public void prune(Instant now) {
        byPod.values().removeIf(use -> !use.isFresh(now));
    }

    /** What the VM in that pod uses; empty if it is unknown. */
    public Optional<Resources> of(String pod, Instant now) {
        return Optional.ofNullable(byPod.get(pod))
                .filter(use -> use.isFresh(now))
                .map(VmUse::expected);
    }

    /** The use of each node's VMs; a node of which none is known has none. */
    public Map<String, NodeUse> byNode(Instant now) {
        var nodes = new HashMap<String, NodeUse>();
        byPod.values().stream()
                .filter(use -> use.isFresh(now))
                .forEach(use -> nodes.merge(use.node(), new NodeUse(use.charge(), use.expected()), NodeUse::plus));
        return nodes;
    }
}
