package io.sluice.neonvm.core;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The permits of VMs that are to be written to their objects. Only the newest of each VM is kept: values that change
 * faster than they may be written are never written.
 */
public final class Approvals {
    private final Duration every;
    private final int knownMax;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();

    /**
     * @param every the shortest time between two writes for one VM
     * @param knownMax the number of VMs to keep; beyond it the oldest are dropped
     */
    public Approvals(Duration every, int knownMax) {
        this.every = every;
        this.knownMax = knownMax;
    }

    /**
     * The amounts that are written to a VM's object.
     *
     * @param unit its compute unit; empty while it is unknown
     * @param requested its goal; empty while it is unknown
     * @param approved its permit
     */
    public record Amounts(Optional<Resources> unit, Optional<Resources> requested, Resources approved) {
        public Amounts {
            Objects.requireNonNull(unit, "unit");
            Objects.requireNonNull(requested, "requested");
            Objects.requireNonNull(approved, "approved");
        }
    }

    /** A write that is due now. */
    public record Write(VmId vm, Amounts amounts) {}

    /** The result of a write. */
    public sealed interface Outcome {
        /** The object has the amounts. */
        record Written() implements Outcome {}

        /**
         * The object may have the amounts; the write is repeated.
         *
         * @param rest no sooner than after this
         */
        record Failed(Duration rest) implements Outcome {
            public Failed {
                Objects.requireNonNull(rest, "rest");
            }
        }

        /** The VM does not exist any more. */
        record Gone() implements Outcome {}
    }

    private record Entry(
            VmId vm, Amounts newest, Optional<Amounts> written, Optional<Amounts> underWay, Instant notBefore) {
        boolean needsWriting() {
            return !written.filter(newest::equals).isPresent();
        }
    }

    /** Takes the newest amounts of a VM and returns whether they are new. */
    public boolean received(VmId vm, Amounts amounts) {
        var known = Optional.ofNullable(entries.get(vm.uid()));
        var next = new Entry(
                vm,
                amounts,
                known.flatMap(Entry::written),
                known.flatMap(Entry::underWay),
                known.map(Entry::notBefore).orElse(Instant.MIN));
        boolean isNews = !known.map(Entry::newest).filter(amounts::equals).isPresent();
        keep(next);
        if (entries.size() > knownMax) {
            forget(entries.keySet().iterator().next());
        }
        return isNews;
    }

    /**
     * The writes that are due now. Each is returned once, until {@link #ended} reports its result.
     *
     * @param most at most so many
     * @param busy uids of VMs that must not be written to now; they are returned later
     */
    public List<Write> due(Instant now, int most, Predicate<String> busy) {
        var due = new ArrayList<Write>();
        for (var uid : List.copyOf(waiting)) {
            var entry = entries.get(uid);
            if (due.size() < most && !now.isBefore(entry.notBefore()) && !busy.test(uid)) {
                due.add(new Write(entry.vm(), entry.newest()));
                keep(new Entry(
                        entry.vm(), entry.newest(), entry.written(), Optional.of(entry.newest()), now.plus(every)));
            }
        }
        return due;
    }

    /** Takes the result of a write. */
    public void ended(Write write, Outcome outcome, Instant now) {
        var uid = write.vm().uid();
        var entry = entries.get(uid);
        if (entry == null || entry.underWay().isEmpty()) {
            return;
        }
        switch (outcome) {
            case Outcome.Gone() -> forget(uid);
            case Outcome.Written() ->
                keep(new Entry(
                        entry.vm(), entry.newest(), Optional.of(write.amounts()), Optional.empty(), entry.notBefore()));
            case Outcome.Failed(var rest) ->
                keep(new Entry(entry.vm(), entry.newest(), Optional.empty(), Optional.empty(), now.plus(rest)));
        }
    }

    /** Drops all writes for that VM. */
    public void forget(String uid) {
        entries.remove(uid);
        waiting.remove(uid);
    }

    /** The number of VMs with amounts to be written. */
    public int waiting() {
        return waiting.size();
    }

    private void keep(Entry entry) {
        var uid = entry.vm().uid();
        entries.put(uid, entry);
        if (entry.underWay().isEmpty() && entry.needsWriting()) {
            waiting.add(uid);
        } else {
            waiting.remove(uid);
        }
    }
}
