package io.sluice.neonvm.core;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.neonvm.core.VmEvent.Reason;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Selects what becomes an Event on a VM, at a rate that suits a user. A reason that repeats within a few minutes raises
 * a count, and the count is written at most once a minute.
 */
public final class EventAggregator {
    /** A reason that repeats after a longer time than this becomes a new Event. */
    static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

    /** The shortest time between two writes of a count. */
    static final Duration EVENT_EVERY = Duration.ofMinutes(1);

    /** The shortest time between two texts of a reason that an operator has to correct by hand. */
    static final Duration NEW_TEXT_EVERY = Duration.ofSeconds(1);

    /** A state that ends sooner than this becomes no Event. */
    static final Duration LONG = Duration.ofMinutes(1);

    private static final int MESSAGE_CHARACTERS_MAX = 1_000;
    private static final int NAME_CHARACTERS_MAX = 200;

    private final Map<Key, Series> series;
    private final Set<Key> untold = new LinkedHashSet<>();
    private final Map<String, Instant> deniedSince;

    /**
     * @param knownMax the number of reasons to keep; beyond it the least recently used one is dropped, and becomes a
     *     new Event
     */
    public EventAggregator(int knownMax) {
        series = BoundedMap.ofLastUsed(knownMax);
        deniedSince = BoundedMap.ofLastUsed(knownMax);
    }

    private record Key(String vmUid, Reason reason) {}

    /** @param text the message that was written last */
    private record Series(VmEvent event, Instant sentAt, String text) {
        Instant dueAt() {
            boolean newWords =
                    event.reason() == Reason.CONFIG_REFUSED && !event.message().equals(text);
            return sentAt.plus(newWords ? NEW_TEXT_EVERY : EVENT_EVERY);
        }
    }

    /** Takes a runner's decision and returns the Events to write now. */
    public List<VmEvent> events(Decision decision, Instant now) {
        return switch (decision.kind()) {
            case DENIED -> {
                var words = denial(decision.from(), decision.to(), decision.reason());
                yield happened(decision.vm(), Reason.SCALING_DENIED, words, decision.count(), now);
            }
            case CONFIG_REFUSED ->
                happened(decision.vm(), Reason.CONFIG_REFUSED, decision.reason(), decision.count(), now);
            case SCALED_UP, SCALED_DOWN, DOWNSCALE_DENIED, UPSCALE_REQUESTED, SUPERSEDED -> List.of();
        };
    }

    private static String denial(Resources from, Resources to, String reason) {
        return "has " + Quantities.text(from) + " and requested " + Quantities.text(to) + ": " + reason;
    }

    /** Takes a permit for a VM of an agent of the reference's kind and returns the Events to write now. */
    public List<VmEvent> permitted(RunnerStatus status, Instant now) {
        return status.goal()
                .filter(goal -> !status.reason().isEmpty())
                .map(goal -> denial(status.size(), goal, status.reason()))
                .map(words -> happened(status.vm(), Reason.SCALING_DENIED, words, now))
                .orElse(List.of());
    }

    /** Takes a VM's status and returns the Events to write now. */
    public List<VmEvent> events(RunnerStatus status, Instant now) {
        var uid = status.vm().uid();
        return switch (status.waiting()) {
            case DENIED_DOWNSCALE -> {
                var since = deniedSince.computeIfAbsent(uid, unknown -> now.minus(status.since()));
                yield lasting(
                        status,
                        Reason.DOWNSCALE_DENIED,
                        "its monitor has denied a downscale",
                        Duration.between(since, now),
                        now);
            }
            // The same denied downscale: the monitor is being requested once more.
            case MONITOR -> List.of();
            case DRIVER -> {
                deniedSince.remove(uid);
                yield lasting(
                        status, Reason.SIZE_NOT_APPLIED, "its driver has not applied its size", status.since(), now);
            }
            case NOTHING, METRICS, CLAIM, SESSION, NODE, PERMIT, ROOM, RETRY, PERMIT_LAPSED -> ended(uid);
            case PATCH, MIGRATION, MAX, SUPERSEDED, STOPPED -> ended(uid);
        };
    }

    /** Takes a pressure decision and returns the Events to write now. */
    public List<VmEvent> events(PressureDecision decision, Instant now) {
        if (decision.vm().isEmpty()) {
            return List.of();
        }
        var vm = decision.vm().get();
        var words = way(decision) + ": " + decision.reason();
        return switch (decision.kind()) {
            case MOVING, ADOPTED -> happened(vm, Reason.MIGRATING, moving(decision), now);
            case MOVED -> happened(vm, Reason.MIGRATION_ENDED, words, now);
            case NOT_MOVED -> happened(vm, Reason.MIGRATION_FAILED, words, now);
            case NONE_MOVES -> List.of();
        };
    }

    /** The counts that are due to be written. */
    public List<VmEvent> due(Instant now) {
        var due = new ArrayList<VmEvent>();
        for (var key : List.copyOf(untold)) {
            var known = series.get(key);
            if (known == null) {
                untold.remove(key);
            } else if (!now.isBefore(known.dueAt())) {
                due.add(event(key, known.event(), now));
            }
        }
        return due;
    }

    /** Drops everything about that VM. */
    public void forget(String vmUid) {
        deniedSince.remove(vmUid);
        series.keySet().removeIf(key -> key.vmUid().equals(vmUid));
        untold.removeIf(key -> key.vmUid().equals(vmUid));
    }

    private List<VmEvent> ended(String vmUid) {
        deniedSince.remove(vmUid);
        return List.of();
    }

    private static String moving(PressureDecision decision) {
        var above = decision.numbers().map(NodeText::above).orElse("");
        return "moving " + way(decision) + ": " + (above.isEmpty() ? "" : above + "; ") + decision.reason();
    }

    private static String way(PressureDecision decision) {
        return "from " + decision.node() + (decision.to().isEmpty() ? "" : " to " + decision.to());
    }

    /** A status is repeated while it lasts: it counts once a minute. */
    private List<VmEvent> lasting(RunnerStatus status, Reason reason, String what, Duration age, Instant now) {
        var before = Optional.ofNullable(series.get(new Key(status.vm().uid(), reason)))
                .map(known -> known.event().last());
        boolean reportedJustNow =
                before.filter(last -> now.isBefore(last.plus(LONG))).isPresent();
        if (age.compareTo(LONG) < 0 || reportedJustNow) {
            return List.of();
        }
        var words = what + " for " + Durations.text(age.truncatedTo(ChronoUnit.SECONDS)) + ", and has "
                + Quantities.text(status.size())
                + (status.reason().isEmpty() ? "" : ": " + status.reason());
        return happened(status.vm(), reason, words, now);
    }

    private List<VmEvent> happened(VmId vm, Reason reason, String words, Instant now) {
        return happened(vm, reason, words, 1, now);
    }

    private List<VmEvent> happened(VmId vm, Reason reason, String words, int count, Instant now) {
        var key = new Key(vm.uid(), reason);
        var message = words.substring(0, Math.min(words.length(), MESSAGE_CHARACTERS_MAX));
        var known = series.get(key);
        if (known == null || now.isAfter(known.event().last().plus(FORGOTTEN_AFTER))) {
            var first = new VmEvent(vm, reason, name(vm, reason, now), message, count, now, now);
            // The former Event's count that is not written yet would be lost otherwise.
            var reported = untold.contains(key) && known != null ? List.of(known.event(), first) : List.of(first);
            event(key, first, now);
            return reported;
        }
        var again = known.event();
        var raised = new VmEvent(vm, reason, again.name(), message, again.count() + count, again.first(), now);
        var counted = new Series(raised, known.sentAt(), known.text());
        if (!now.isBefore(counted.dueAt())) {
            return List.of(event(key, raised, now));
        }
        series.put(key, counted);
        untold.add(key);
        return List.of();
    }

    private VmEvent event(Key key, VmEvent event, Instant now) {
        series.put(key, new Series(event, now, event.message()));
        untold.remove(key);
        return event;
    }

    /** Every process that receives the same messages makes the same name, so that one Event is written. */
    private static String name(VmId vm, Reason reason, Instant first) {
        long window = first.getEpochSecond() / FORGOTTEN_AFTER.toSeconds();
        var prefix = vm.name().substring(0, Math.min(vm.name().length(), NAME_CHARACTERS_MAX));
        return prefix + "." + Integer.toHexString(Objects.hash(vm.uid(), reason.word(), window));
    }
}
