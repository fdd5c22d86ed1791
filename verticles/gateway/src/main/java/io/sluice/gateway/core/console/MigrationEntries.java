package io.sluice.gateway.core.console;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.PodObserved;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The migrations that are there, with the nodes that they leave and go to as far as anybody told. */
final class MigrationEntries {
    private static final int KEPT_MAX = 1_000;
    private static final Comparator<MigrationEntry> OLDEST_FIRST = Comparator.comparing(MigrationEntry::since)
            .thenComparing(MigrationEntry::vm)
            .thenComparing(MigrationEntry::name);

    private final Map<String, Known> known = new BoundedMap<>(KEPT_MAX);
    private final Map<String, String> landedOn = new BoundedMap<>(KEPT_MAX);

    private record Known(MigrationObserved fact, String from) {}

    /** Takes a fact; {@code runsOn} is where the VM is known to run now. Tells whether it is news. */
    boolean take(MigrationObserved fact, String runsOn) {
        var name = name(fact.namespace(), fact.name());
        var before = known.get(name);
        boolean same = before != null && before.fact().uid().equals(fact.uid());
        if (same && before.fact().version() >= fact.version()) {
            return false;
        }
        boolean hasFrom = same && !before.from().isEmpty();
        // Once it has ended well, the VM runs where it went to.
        var from = hasFrom ? before.from() : fact.phase().ended() ? "" : runsOn;
        known.put(name, new Known(fact, from));
        return true;
    }

    /** Takes the pod that a migration made; tells whether it is news. */
    boolean landed(PodObserved pod) {
        var name = name(pod.namespace(), pod.migration());
        return !pod.node().equals(landedOn.put(name, pod.node())) && known.containsKey(name);
    }

    /** Tells whether it was there. */
    boolean gone(MigrationGone end) {
        var name = name(end.namespace(), end.name());
        var before = known.get(name);
        if (before == null || !before.fact().uid().equals(end.uid())) {
            return false;
        }
        known.remove(name);
        landedOn.remove(name);
        return true;
    }

    /** The one under way for a VM, if any. */
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
        var fact = migration.fact();
        var landed = landedOn.getOrDefault(name, fact.roomOn());
        return new MigrationEntry(
                fact.name(),
                fact.namespace() + "/" + fact.vmName(),
                fact.phase(),
                migration.from(),
                landed,
                Instant.ofEpochSecond(fact.createdAtSeconds()),
                fact.ours());
    }

    private static String name(String namespace, String name) {
        return namespace + "/" + name;
    }
}
