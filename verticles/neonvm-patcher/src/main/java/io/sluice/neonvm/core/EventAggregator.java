package io.sluice.neonvm.core;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.neonvm.core.VmEvent.Reason;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Picks from all that is said of VMs what a person who looks at one should find there, and no more often than a person
 * reads: a reason that came within the last minutes is counted, and the count is told at most once a minute.
 */
public final class EventAggregator {
    /** After this long without it, a reason that comes again is a new event. */
    static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

    /** A count is told no more often than this. */
    static final Duration TOLD_EVERY = Duration.ofMinutes(1);

    /** What must be mended by hand is looked at while it is: other words about it are told no more often than this. */
    static final Duration NEW_WORDS_TOLD_EVERY = Duration.ofSeconds(1);

    /** What passes sooner than this is nobody's concern. */
    static final Duration LONG = Duration.ofMinutes(1);

    private static final int MESSAGE_CHARACTERS_MAX = 1_000;
    private static final int NAME_CHARACTERS_MAX = 200;

    private final int knownMax;
    private final Map<Key, Series> series = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Key> untold = new LinkedHashSet<>();
    private final Map<String, Instant> vetoedSince = new LinkedHashMap<>(16, 0.75f, true);

    /** @param knownMax beyond so many, the reason that was silent longest is forgotten, and will be a new event */
    public EventAggregator(int knownMax) {
        this.knownMax = knownMax;
    }

    private record Key(String vmUid, Reason reason) {}

    /** @param told its words as they were told last */
    private record Series(VmEvent remark, Instant toldAt, String told) {
        Instant dueAt() {
            boolean newWords = remark.reason() == Reason.CONFIG_REFUSED
                    && !remark.message().equals(told);
            return toldAt.plus(newWords ? NEW_WORDS_TOLD_EVERY : TOLD_EVERY);
        }
    }

    /** Takes what a runner decided; answers what to tell now. */
    public List<VmEvent> heard(Decision decision, Instant now) {
        return switch (decision.kind()) {
            case DENIED -> denied(decision.vm(), decision.from(), decision.to(), decision.reason(), now);
            case CONFIG_REFUSED -> happened(decision.vm(), Reason.CONFIG_REFUSED, decision.reason(), now);
            case SCALED_UP, SCALED_DOWN, VETOED, CRIED, SUPERSEDED -> List.of();
        };
    }

    private List<VmEvent> denied(VmId vm, Resources from, Resources to, String reason, Instant now) {
        var words = "has " + Quantities.text(from) + " and asked for " + Quantities.text(to) + ": " + reason;
        return happened(vm, Reason.SCALING_DENIED, words, now);
    }

    /** Takes what the ledger permitted a VM whose agent is not one of ours; answers what to write now. */
    public List<VmEvent> permitted(RunnerStatus status, Instant now) {
        return status.goal()
                .filter(goal -> !status.reason().isEmpty())
                .map(goal -> denied(status.vm(), status.size(), goal, status.reason(), now))
                .orElse(List.of());
    }

    /** Takes where a VM stands; answers what to tell now. */
    public List<VmEvent> heard(RunnerStatus status, Instant now) {
        var uid = status.vm().uid();
        return switch (status.waiting()) {
            case VETO -> {
                var since = vetoedSince.computeIfAbsent(uid, unknown -> now.minus(status.since()));
                bound(vetoedSince);
                yield lasting(status, Reason.DOWNSCALE_VETOED, Duration.between(since, now), now);
            }
            // The same veto, being asked about once more.
            case MONITOR -> List.of();
            case DRIVER -> {
                vetoedSince.remove(uid);
                yield lasting(status, Reason.SIZE_NOT_APPLIED, status.since(), now);
            }
            case NOTHING, METRICS, CLAIM, SESSION, NODE, PERMIT, ROOM, RETRY, PERMIT_LAPSED -> ended(uid);
            case PATCH, MIGRATION, MAX, SUPERSEDED, STOPPED -> ended(uid);
        };
    }

    /** Takes what was decided about who leaves a node; answers what to tell now. */
    public List<VmEvent> heard(PressureDecision decision, Instant now) {
        if (decision.vm().isEmpty()) {
            return List.of();
        }
        var vm = decision.vm().get();
        var words = way(decision) + ": " + decision.reason();
        return switch (decision.kind()) {
            case MOVING, ADOPTED -> happened(vm, Reason.MIGRATING, moving(decision), now);
            case MOVED -> happened(vm, Reason.MIGRATION_ENDED, words, now);
            case NOT_MOVED -> happened(vm, Reason.MIGRATION_FAILED, words, now);
            case NOBODY_MOVES -> List.of();
        };
    }

    /** Counts that have waited long enough to be told. */
    public List<VmEvent> due(Instant now) {
        var due = new ArrayList<VmEvent>();
        for (var key : List.copyOf(untold)) {
            var known = series.get(key);
            if (known == null) {
                untold.remove(key);
            } else if (!now.isBefore(known.dueAt())) {
                due.add(told(key, known.remark(), now));
            }
        }
        return due;
    }

    /** Nothing is said of that VM any more. */
    public void forget(String vmUid) {
        vetoedSince.remove(vmUid);
        series.keySet().removeIf(key -> key.vmUid().equals(vmUid));
        untold.removeIf(key -> key.vmUid().equals(vmUid));
    }

    private List<VmEvent> ended(String vmUid) {
        vetoedSince.remove(vmUid);
        return List.of();
    }

    private static String moving(PressureDecision decision) {
        var above = decision.numbers().map(NodeText::above).orElse("");
        return "moving " + way(decision) + ": " + (above.isEmpty() ? "" : above + "; ") + decision.reason();
    }

    private static String way(PressureDecision decision) {
        return "from " + decision.node() + (decision.to().isEmpty() ? "" : " to " + decision.to());
    }

    /** A state is said again and again while it lasts: it counts once a minute. */
    private List<VmEvent> lasting(RunnerStatus status, Reason reason, Duration age, Instant now) {
        var before = Optional.ofNullable(series.get(new Key(status.vm().uid(), reason)))
                .map(known -> known.remark().last());
        boolean saidJustNow =
                before.filter(last -> now.isBefore(last.plus(LONG))).isPresent();
        if (age.compareTo(LONG) < 0 || saidJustNow) {
            return List.of();
        }
        var words = status.waiting().sentence() + ", for " + Durations.text(age.truncatedTo(ChronoUnit.SECONDS))
                + " now, and has " + Quantities.text(status.size())
                + (status.reason().isEmpty() ? "" : ": " + status.reason());
        return happened(status.vm(), reason, words, now);
    }

    private List<VmEvent> happened(VmId vm, Reason reason, String words, Instant now) {
        var key = new Key(vm.uid(), reason);
        var message = words.substring(0, Math.min(words.length(), MESSAGE_CHARACTERS_MAX));
        var known = series.get(key);
        if (known == null || now.isAfter(known.remark().last().plus(FORGOTTEN_AFTER))) {
            var first = new VmEvent(vm, reason, name(vm, reason, now), message, 1, now, now);
            // What was counted of the event before and not told yet would be lost with it.
            var said = untold.contains(key) && known != null ? List.of(known.remark(), first) : List.of(first);
            told(key, first, now);
            bound(series);
            return said;
        }
        var again = known.remark();
        var raised = new VmEvent(vm, reason, again.name(), message, again.count() + 1, again.first(), now);
        var counted = new Series(raised, known.toldAt(), known.told());
        if (!now.isBefore(counted.dueAt())) {
            return List.of(told(key, raised, now));
        }
        series.put(key, counted);
        untold.add(key);
        return List.of();
    }

    private VmEvent told(Key key, VmEvent remark, Instant now) {
        series.put(key, new Series(remark, now, remark.message()));
        untold.remove(key);
        return remark;
    }

    private <K> void bound(Map<K, ?> map) {
        if (map.size() > knownMax) {
            map.remove(map.keySet().iterator().next());
        }
    }

    /** The same in every process that hears the same, so that one event is written, whoever comes first. */
    private static String name(VmId vm, Reason reason, Instant first) {
        long window = first.getEpochSecond() / FORGOTTEN_AFTER.toSeconds();
        var prefix = vm.name().substring(0, Math.min(vm.name().length(), NAME_CHARACTERS_MAX));
        return prefix + "." + Integer.toHexString(Objects.hash(vm.uid(), reason.word(), window));
    }
}
