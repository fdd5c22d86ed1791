package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Collects the observations of one VM and the statuses of its runner, in any order. */
final class VmDetails {
    /**
     * A runner measures its times anew for each report; differences below this are ignored. The ledger's times begin
     * anew when another process becomes the node's owner, so the earlier one counts.
     */
    private static final Duration SAME = Duration.ofSeconds(2);

    private final String key;
    private Optional<VmObserved> observed = Optional.empty();
    private Optional<RunnerStatus> status = Optional.empty();
    private VmStatus.Source source = VmStatus.Source.RUNNER;
    private Instant since;
    private Instant receivedAt;
    private Optional<Resources> unit = Optional.empty();
    private Optional<NodeLedgerView> ledger = Optional.empty();
    private Optional<ChartHistory> history = Optional.empty();

    VmDetails(String key, Instant now) {
        this.key = key;
        this.since = now;
        this.receivedAt = now;
    }

    /** Takes an observation, unless a newer one is known; another VM of the same name resets the status. */
    boolean take(VmObserved vm, Instant now) {
        if (observed.filter(known -> known.version() > vm.version()).isPresent()) {
            return false;
        }
        if (status.filter(reported -> !reported.vm().uid().equals(vm.vm().uid()))
                .isPresent()) {
            silence(now);
            history = Optional.empty();
        }
        observed = Optional.of(vm);
        return true;
    }

    /**
     * Takes a status. It ignores a status of another VM of the same name, the last status of the runner on the node
     * that the VM left, once the runner on its new node has reported, and a status of a runner that an agent outside
     * the bus has superseded.
     */
    boolean take(RunnerStatus reported, VmStatus.Source from, Optional<NodeLedgerView> nodeLedger, Instant now) {
        boolean superseded = status.isPresent()
                && source == VmStatus.Source.LEDGER
                && from == VmStatus.Source.RUNNER
                && !reported.waiting().isServed();
        if (superseded) {
            return false;
        }
        if (observed.filter(vm -> !vm.vm().uid().equals(reported.vm().uid())).isPresent()
                || observed.filter(vm -> spokenFor(vm.pod()) && !vm.pod().equals(reported.pod()))
                        .isPresent()) {
            return false;
        }
        var begun = now.minus(reported.since());
        boolean same = source == from
                && status.filter(before -> before.waiting() == reported.waiting())
                        .isPresent()
                && (from == VmStatus.Source.LEDGER ? begun.isAfter(since) : isSame(begun));
        since = same ? since : begun;
        status = Optional.of(reported);
        source = from;
        ledger = nodeLedger;
        receivedAt = now;
        return true;
    }

    private boolean isSame(Instant begun) {
        return Duration.between(since, begun).abs().compareTo(SAME) < 0;
    }

    private boolean spokenFor(String pod) {
        return status.filter(reported -> reported.pod().equals(pod)).isPresent();
    }

    void measuredIn(Resources computeUnit) {
        unit = Optional.of(computeUnit);
    }

    /** Removes the status: its runner has not reported for too long. */
    void silence(Instant now) {
        if (status.isPresent()) {
            status = Optional.empty();
            ledger = Optional.empty();
            since = now;
        }
    }

    Instant receivedAt() {
        return receivedAt;
    }

    Optional<VmObserved> observed() {
        return observed;
    }

    /** Adds a point to the history; only VMs with a runner have a history. */
    void sample(Instant now) {
        if (status.isPresent()) {
            var kept = history.orElseGet(ChartHistory::new);
            history = Optional.of(kept);
            kept.add(ChartHistory.Point.of(status(), now));
        }
    }

    Optional<ChartHistory> history() {
        return history;
    }

    VmStatus status() {
        return new VmStatus(key, observed, status, since, unit, ledger, source);
    }
}
