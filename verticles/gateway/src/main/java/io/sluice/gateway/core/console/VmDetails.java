package io.sluice.gateway.core.console;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Gathers what is heard of one VM, from its cluster and from its runner, whichever comes first. */
final class VmDetails {
    /**
     * Times that a runner reports are measured anew each time; below this they are the same time. Those of the ledger
     * begin anew where another process keeps the node, so the earlier one counts.
     */
    private static final Duration SAME = Duration.ofSeconds(2);

    private final String key;
    private Optional<VmObserved> seen = Optional.empty();
    private Optional<RunnerStatus> status = Optional.empty();
    private VmStatus.Source source = VmStatus.Source.RUNNER;
    private Instant since;
    private Instant heardAt;
    private Optional<Resources> unit = Optional.empty();
    private Optional<NodeLedgerView> books = Optional.empty();
    private Optional<ChartHistory> history = Optional.empty();

    VmDetails(String key, Instant now) {
        this.key = key;
        this.since = now;
        this.heardAt = now;
    }

    /** Takes a fact, unless a newer one is known; another VM of the same name starts anew. */
    boolean take(VmObserved vm, Instant now) {
        if (seen.filter(known -> known.version() > vm.version()).isPresent()) {
            return false;
        }
        if (status.filter(said -> !said.vm().uid().equals(vm.vm().uid())).isPresent()) {
            silence(now);
            history = Optional.empty();
        }
        seen = Optional.of(vm);
        return true;
    }

    /**
     * Takes what is reported of it. What is reported of another VM of the same name is not taken, nor is the last word
     * of the runner on the node that the VM was moved away from, once the one on its new node has spoken, nor that of a
     * runner which an agent that the ledger reports has superseded.
     */
    boolean take(RunnerStatus said, VmStatus.Source from, Optional<NodeLedgerView> nodeBooks, Instant now) {
        boolean superseded = status.isPresent()
                && source == VmStatus.Source.LEDGER
                && from == VmStatus.Source.RUNNER
                && !said.waiting().isServed();
        if (superseded) {
            return false;
        }
        if (seen.filter(vm -> !vm.vm().uid().equals(said.vm().uid())).isPresent()
                || seen.filter(vm -> spokenFor(vm.pod()) && !vm.pod().equals(said.member()))
                        .isPresent()) {
            return false;
        }
        var begun = now.minus(said.since());
        boolean same = source == from
                && status.filter(before -> before.waiting() == said.waiting()).isPresent()
                && (from == VmStatus.Source.LEDGER ? begun.isAfter(since) : isSame(begun));
        since = same ? since : begun;
        status = Optional.of(said);
        source = from;
        books = nodeBooks;
        heardAt = now;
        return true;
    }

    private boolean isSame(Instant begun) {
        return Duration.between(since, begun).abs().compareTo(SAME) < 0;
    }

    private boolean spokenFor(String pod) {
        return status.filter(said -> said.member().equals(pod)).isPresent();
    }

    void measuredIn(Resources computeUnit) {
        unit = Optional.of(computeUnit);
    }

    /** Its runner was not heard of for too long: what it said last is not believed any more. */
    void silence(Instant now) {
        if (status.isPresent()) {
            status = Optional.empty();
            books = Optional.empty();
            since = now;
        }
    }

    Instant heardAt() {
        return heardAt;
    }

    Optional<VmObserved> seen() {
        return seen;
    }

    /** Remembers how it stands; only VMs that a runner serves have a past worth a chart. */
    void sample(Instant now) {
        if (status.isPresent()) {
            var kept = history.orElseGet(ChartHistory::new);
            history = Optional.of(kept);
            kept.add(ChartHistory.Point.of(standing(), now));
        }
    }

    Optional<ChartHistory> history() {
        return history;
    }

    VmStatus standing() {
        return new VmStatus(key, seen, status, since, unit, books, source);
    }
}
