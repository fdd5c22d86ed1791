package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.shell.BoundedMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The migrations that exist, with their source and target nodes as far as these are known. */
final class MigrationEntries {
    private static final int KEPT_MAX = 1_000;
    private static final Comparator<MigrationEntry> OLDEST_FIRST = Comparator.comparing(MigrationEntry::since)
            .thenComparing(MigrationEntry::vm)
            .thenComparing(MigrationEntry::name);

    private final Map<String, Known> known = BoundedMap.ofLastUsed(KEPT_MAX);
    private final Map<String, String> landedOn = BoundedMap.ofLastUsed(KEPT_MAX);

    private record Known(MigrationObserved observation, String from) {}

    /** Takes an observation; {@code runsOn} is the node where the VM runs now. Returns whether it is news. */
    boolean take(MigrationObserved observation, String runsOn) {
        var name = name(observation.namespace(), observation.name());
        var before = known.get(name);
        boolean same = before != null && before.observation().uid().equals(observation.uid());
        if (same && before.observation().version() >= observation.version()) {
            return false;
        }
        boolean hasFrom = same && !before.from().isEmpty();
        // After a successful end the VM runs on the target node.
        var from = hasFrom ? before.from() : observation.phase().ended() ? "" : runsOn;
        known.put(name, new Known(observation, from));
        return true;
    }

    /** Takes the pod that a migration created; returns whether it is news. */
    boolean landed(PodObserved pod) {
        var name = name(pod.namespace(), pod.migration());
        return !pod.node().equals(landedOn.put(name, pod.node())) && known.containsKey(name);
    }

    /** Takes the end of a migration's object; returns whether it existed. */
    boolean gone(MigrationGone end) {
        var name = name(end.namespace(), end.name());
        var before = known.get(name);
        if (before == null || !before.observation().uid().equals(end.uid())) {
            return false;
        }
        known.remove(name);
        landedOn.remove(name);
        return true;
    }

    /** Returns the one under way for a VM, if any. */
    Optional<MigrationEntry> ofVm(String vm) {
        return views().stream()
                .filter(view -> view.vm().equals(vm) && !view.phase().ended())
                .findFirst();
    }

    List<MigrationEntry> views() {
        List<MigrationEntry> views = new ArrayList<>(known.size());
        known.forEach((name, migration) -> views.add(view(name, migration)));
        views.sort(OLDEST_FIRST);
        return views;
    }

    private MigrationEntry view(String name, Known migration) {
        var observation = migration.observation();
        var landed = landedOn.getOrDefault(name, observation.roomOn());
        return new MigrationEntry(
                observation.name(),
                observation.namespace() + "/" + observation.vmName(),
                observation.phase(),
                migration.from(),
                landed,
                Instant.ofEpochSecond(observation.createdAtSeconds()),
                observation.ours());
    }

    private static String name(String namespace, String name) {
        return namespace + "/" + name;
    }
}
