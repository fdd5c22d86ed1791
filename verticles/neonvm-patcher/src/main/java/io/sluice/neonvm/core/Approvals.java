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
 * What the ledger booked for each VM, until it is written down on the VM's object. Only the newest is kept: what comes
 * faster than it may be written is never written.
 */
public final class Approvals {
    private final Duration every;
    private final int knownMax;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();

    /**
     * @param every a VM is written to no more often than this
     * @param knownMax of more VMs than this, those that came first are forgotten
     */
    public Approvals(Duration every, int knownMax) {
        this.every = every;
        this.knownMax = knownMax;
    }

    /**
     * What is written down of a VM.
     *
     * @param unit its compute unit; empty while that is not known
     * @param requested what its load asks for; empty while that is not known
     * @param approved what the ledger booked
     */
    public record Amounts(Optional<Resources> unit, Optional<Resources> requested, Resources approved) {
        public Amounts {
            Objects.requireNonNull(unit, "unit");
            Objects.requireNonNull(requested, "requested");
            Objects.requireNonNull(approved, "approved");
        }
    }

    /** To be written now. */
    public record Write(VmId vm, Amounts amounts) {}

    /** What became of a write. */
    public sealed interface Outcome {
        /** It stands on the object. */
        record Written() implements Outcome {}

        /**
         * Perhaps it does; it is tried again.
         *
         * @param rest no sooner than after this
         */
        record Failed(Duration rest) implements Outcome {
            public Failed {
                Objects.requireNonNull(rest, "rest");
            }
        }

        /** There is no such VM any more. */
        record Gone() implements Outcome {}
    }

    private record Entry(
            VmId vm, Amounts newest, Optional<Amounts> written, Optional<Amounts> underWay, Instant notBefore) {
        boolean needsWriting() {
            return !written.filter(newest::equals).isPresent();
        }
    }

    /** Takes what was booked last; answers whether that is news. */
    public boolean heard(VmId vm, Amounts amounts) {
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
     * What is to be written now, each exactly once until {@link #ended} tells what became of it.
     *
     * @param most no more than these
     * @param busy VMs that are not to be disturbed, by uid; they are answered later
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

    /** Takes what became of a write. */
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

    /** Nothing is written of that VM any more. */
    public void forget(String uid) {
        entries.remove(uid);
        waiting.remove(uid);
    }

    /** How many VMs wait to be written to. */
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
