package io.sluice.neonvm.core;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The amounts of VMs that are to be written to their objects. Only the newest of each VM is kept: values that change
 * faster than they may be written are never written.
 *
 * <p>A patch of a VM's size carries its amounts, so a write of their own waits for one. Only the first of a VM without
 * a fence hurries: nothing else shows to a ledger without state that the VM has an agent.
 */
public final class Approvals {
    private static final Duration HURRIED_AFTER = Duration.ofSeconds(1);

    private final Duration every;
    private final int knownMax;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final NavigableSet<Waiting> waiting =
            new TreeSet<>(Comparator.comparing(Waiting::dueAt).thenComparing(Waiting::uid));

    /**
     * @param every how long a change waits for a patch, and the shortest time between two writes for one VM
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

    /**
     * The amounts of one VM.
     *
     * @param notBefore the rest after the last write ends then
     * @param wanted the newest are to be written then, if no patch carries them before
     */
    private record Entry(
            VmId vm,
            Amounts newest,
            Optional<Amounts> written,
            Optional<Amounts> underWay,
            Instant notBefore,
            Instant wanted) {
        boolean isWaiting() {
            return underWay.isEmpty() && !written.filter(newest::equals).isPresent();
        }

        Entry wrote(Optional<Amounts> amounts, Instant restsUntil) {
            return new Entry(vm, newest, amounts, Optional.empty(), restsUntil, wanted);
        }
    }

    private record Waiting(Instant dueAt, String uid) {
        static Waiting of(Entry entry) {
            return new Waiting(
                    later(entry.notBefore(), entry.wanted()), entry.vm().uid());
        }
    }

    /**
     * Takes the newest amounts of a VM.
     *
     * @param hurries for a VM without a fence: its first amounts wait no longer than a second
     */
    public void received(VmId vm, Amounts amounts, boolean hurries, Instant now) {
        var known = Optional.ofNullable(entries.get(vm.uid()));
        var written = known.flatMap(Entry::written);
        var wanted = now.plus(hurries && written.isEmpty() ? HURRIED_AFTER : every);
        keep(new Entry(
                vm,
                amounts,
                written,
                known.flatMap(Entry::underWay),
                known.map(Entry::notBefore).orElse(Instant.MIN),
                known.filter(Entry::isWaiting)
                        .map(Entry::wanted)
                        .filter(wanted::isAfter)
                        .orElse(wanted)));
        if (entries.size() > knownMax) {
            forget(entries.keySet().iterator().next());
        }
    }

    /** The amounts that a patch of the VM to this size is to carry: what it grants was requested and approved. */
    public Amounts ofPatch(String uid, Resources target) {
        var unit = Optional.ofNullable(entries.get(uid))
                .flatMap(entry -> entry.newest().unit());
        return new Amounts(unit, Optional.of(target), target);
    }

    /**
     * Takes the amounts that a patch wrote. If a write of their own was under way meanwhile, it is unknown which of
     * both came last, and the newest are written again.
     */
    public void patched(String uid, Amounts amounts, Instant now) {
        var entry = entries.get(uid);
        if (entry != null && entry.underWay().isEmpty()) {
            keep(entry.wrote(Optional.of(amounts), now.plus(every)));
        }
    }

    /**
     * A write that is due now. It is returned once, until {@link #ended} reports its result.
     *
     * @param patching whether sizes are being patched; then no write is due, as it would delay them
     */
    public Optional<Write> due(Instant now, boolean patching) {
        if (patching || waiting.isEmpty() || now.isBefore(waiting.first().dueAt())) {
            return Optional.empty();
        }
        var entry = entries.get(waiting.first().uid());
        keep(new Entry(
                entry.vm(),
                entry.newest(),
                entry.written(),
                Optional.of(entry.newest()),
                now.plus(every),
                entry.wanted()));
        return Optional.of(new Write(entry.vm(), entry.newest()));
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
            case Outcome.Written() -> keep(entry.wrote(Optional.of(write.amounts()), entry.notBefore()));
            case Outcome.Failed(var rest) -> keep(entry.wrote(Optional.empty(), now.plus(rest)));
        }
    }

    /** Drops all writes for that VM. */
    public void forget(String uid) {
        var dropped = entries.remove(uid);
        if (dropped != null) {
            waiting.remove(Waiting.of(dropped));
        }
    }

    /** The number of VMs with amounts to be written. */
    public int waiting() {
        return waiting.size();
    }

    private void keep(Entry entry) {
        var before = entries.put(entry.vm().uid(), entry);
        if (before != null) {
            waiting.remove(Waiting.of(before));
        }
        if (entry.isWaiting()) {
            waiting.add(Waiting.of(entry));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
