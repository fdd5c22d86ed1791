package io.sluice.gateway.core.console;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Gathers what is heard of one VM, from its cluster and from its runner, whichever comes first. */
final class VmFacts {
    /**
     * Times that a runner reports are measured anew each time; below this they are the same time. Those of the ledger
     * begin anew where another process keeps the node, so the earlier one counts.
     */
    private static final Duration SAME = Duration.ofSeconds(2);

    private final String key;
    private Optional<VmSeen> seen = Optional.empty();
    private Optional<RunnerStatus> status = Optional.empty();
    private VmStanding.Source source = VmStanding.Source.RUNNER;
    private Instant since;
    private Instant heardAt;
    private Optional<Resources> unit = Optional.empty();
    private Optional<NodeBooks> books = Optional.empty();
    private Optional<History> history = Optional.empty();

    VmFacts(String key, Instant now) {
        this.key = key;
        this.since = now;
        this.heardAt = now;
    }

    /** Takes a fact, unless a newer one is known; another VM of the same name starts anew. */
    boolean take(VmSeen vm, Instant now) {
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
    boolean take(RunnerStatus said, VmStanding.Source from, Optional<NodeBooks> nodeBooks, Instant now) {
        boolean superseded = status.isPresent()
                && source == VmStanding.Source.LEDGER
                && from == VmStanding.Source.RUNNER
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
                && (from == VmStanding.Source.LEDGER ? begun.isAfter(since) : isSame(begun));
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

    Optional<VmSeen> seen() {
        return seen;
    }

    /** Remembers how it stands; only VMs that a runner serves have a past worth a chart. */
    void sample(Instant now) {
        if (status.isPresent()) {
            var kept = history.orElseGet(History::new);
            history = Optional.of(kept);
            kept.add(History.Point.of(standing(), now));
        }
    }

    Optional<History> history() {
        return history;
    }

    VmStanding standing() {
        return new VmStanding(key, seen, status, since, unit, books, source);
    }
}
