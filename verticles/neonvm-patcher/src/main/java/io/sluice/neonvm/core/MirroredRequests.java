package io.sluice.neonvm.core;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which runner pods' requests are to follow which charges, and when each pod is read and resized next. One attempt of a
 * pod is under way at a time, and only the newest charge of each is kept. A failed attempt is repeated after a wait
 * that doubles from {@link #PAUSE} to {@link #PAUSE_MAX}, as long as the pod has its reservation.
 */
public final class MirroredRequests {
    /** The shortest time between two attempts for one pod. */
    public static final Duration PAUSE = Duration.ofSeconds(5);

    /** The longest time between two attempts for a pod that is behind; a random part of it comes on top. */
    public static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    private static final int DOUBLINGS_MAX = 6;

    private final Map<String, Map<String, Entry>> byNode = new HashMap<>();
    private final NavigableSet<Waiting> waiting = new TreeSet<>(Comparator.comparing(Waiting::dueAt)
            .thenComparing(waits -> waits.target().uid()));
    private final Map<State, Integer> counts = new EnumMap<>(State.class);

    /** How a pod's requests are to its charge. */
    public enum State {
        /** Its newest charge is not written yet. */
        BEHIND,
        /** Written, and not read since. */
        WRITTEN,
        /** Its node has not replied to them yet. */
        APPLYING,
        /** Its node has accepted them, or has not started the pod. */
        FOLLOWS,
        /** They are less than its charge, because its limits allow no more. */
        LIMITED,
        /** Its node has no room for them now. */
        DEFERRED,
        /** Its node refuses them. */
        INFEASIBLE,
        /** It cannot be resized as long as it exists. */
        EXCLUDED,
        /** It has ended, and the ledger has not observed that yet. */
        ENDED;

        /** Whether another attempt may change it. */
        boolean isOpen() {
            return switch (this) {
                case BEHIND, WRITTEN, APPLYING, DEFERRED, INFEASIBLE -> true;
                case FOLLOWS, LIMITED, EXCLUDED, ENDED -> false;
            };
        }

        /** Whether the pod is of no interest any more, whatever its charge becomes. */
        boolean isFinal() {
            return this == EXCLUDED || this == ENDED;
        }
    }

    /** What a pod counts at on its node. */
    public record Target(String node, String uid, String namespace, String name, Resources charge) {
        public Target {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(charge, "charge");
        }
    }

    private record Entry(Target target, State state, Instant dueAt, int failures, boolean underWay) {
        /** A node that has refused other requests may accept the new ones; an API server that fails has to rest. */
        Entry with(Target newest, Instant now) {
            if (state.isFinal()) {
                return new Entry(newest, state, dueAt, failures, underWay);
            }
            var soon = now.plus(PAUSE);
            return state == State.BEHIND || dueAt.isBefore(soon)
                    ? new Entry(newest, State.BEHIND, dueAt, failures, underWay)
                    : new Entry(newest, State.BEHIND, soon, 0, underWay);
        }
    }

    private record Waiting(Instant dueAt, Target target) {
        static Waiting of(Entry entry) {
            return new Waiting(entry.dueAt(), entry.target());
        }
    }

    /** Takes the charges of all runner pods of a node; other pods of that node are dropped. */
    public void observed(String node, Collection<Target> targets, Instant now) {
        Set<String> gone = new HashSet<>(byNode.getOrDefault(node, Map.of()).keySet());
        for (var target : targets) {
            gone.remove(target.uid());
            var known = entry(target);
            if (known.isEmpty()) {
                keep(new Entry(target, State.BEHIND, now, 0, false));
            } else if (!known.get().target().equals(target)) {
                keep(known.get().with(target, now));
            }
        }
        gone.forEach(uid -> drop(node, uid));
    }

    /** Drops all pods of a node. */
    public void forget(String node) {
        observed(node, Set.of(), Instant.MIN);
    }

    /**
     * A pod to read and resize now. It is returned once, until {@link #ended} or {@link #failed} reports the result.
     */
    public Optional<Target> due(Instant now) {
        if (waiting.isEmpty() || now.isBefore(waiting.first().dueAt())) {
            return Optional.empty();
        }
        var target = waiting.first().target();
        var entry = entry(target).orElseThrow();
        keep(new Entry(target, entry.state(), entry.dueAt(), entry.failures(), true));
        return Optional.of(target);
    }

    /**
     * Takes the result of an attempt. If the charge has changed meanwhile, the pod is behind.
     *
     * @param jitter from 0 to 1, so that attempts that ended together are not repeated together
     */
    public void ended(Target target, State state, double jitter, Instant now) {
        entry(target).filter(Entry::underWay).ifPresent(entry -> {
            boolean newest = entry.target().equals(target) || state.isFinal();
            int failures = state.isOpen() && state != State.WRITTEN ? entry.failures() + 1 : 0;
            keep(new Entry(
                    entry.target(), newest ? state : State.BEHIND, now.plus(pause(failures, jitter)), failures, false));
        });
    }

    /**
     * An attempt that failed, or may have failed.
     *
     * @param rest no sooner than after this
     * @param jitter from 0 to 1
     */
    public void failed(Target target, Duration rest, double jitter, Instant now) {
        entry(target).filter(Entry::underWay).ifPresent(entry -> {
            int failures = entry.failures() + 1;
            var pause = pause(failures, jitter);
            keep(new Entry(
                    entry.target(), State.BEHIND, now.plus(pause.compareTo(rest) > 0 ? pause : rest), failures, false));
        });
    }

    /** How many pods are in that state. */
    public int count(State state) {
        return counts.getOrDefault(state, 0);
    }

    private static Duration pause(int failures, double jitter) {
        var doubled = PAUSE.multipliedBy(1L << Math.clamp(failures - 1L, 0, DOUBLINGS_MAX));
        var bounded = doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
        return failures == 0 ? bounded : bounded.plusMillis((long) (bounded.toMillis() * jitter / 2));
    }

    private Optional<Entry> entry(Target target) {
        return Optional.ofNullable(byNode.getOrDefault(target.node(), Map.of()).get(target.uid()));
    }

    private void keep(Entry entry) {
        remove(byNode.computeIfAbsent(entry.target().node(), node -> new HashMap<>())
                .put(entry.target().uid(), entry));
        counts.merge(entry.state(), 1, Integer::sum);
        if (!entry.underWay() && entry.state().isOpen()) {
            waiting.add(Waiting.of(entry));
        }
    }

    private void drop(String node, String uid) {
        byNode.computeIfPresent(node, (name, pods) -> {
            remove(pods.remove(uid));
            return pods.isEmpty() ? null : pods;
        });
    }

    private void remove(Entry entry) {
        if (entry != null) {
            counts.merge(entry.state(), -1, Integer::sum);
            waiting.remove(Waiting.of(entry));
        }
    }
}
