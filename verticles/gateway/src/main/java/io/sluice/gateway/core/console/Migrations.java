package io.sluice.gateway.core.console;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.PodSeen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The migrations that are there, with the nodes that they leave and go to as far as anybody told. */
final class Migrations {
    private static final int KEPT_MAX = 1_000;
    private static final Comparator<MigrationView> OLDEST_FIRST = Comparator.comparing(MigrationView::since)
            .thenComparing(MigrationView::vm)
            .thenComparing(MigrationView::name);

    private final Map<String, Known> known = new Bounded<>(KEPT_MAX);
    private final Map<String, String> landedOn = new Bounded<>(KEPT_MAX);

    private record Known(MigrationSeen fact, String from) {}

    /** Takes a fact; {@code runsOn} is where the VM is known to run now. Tells whether it is news. */
    boolean take(MigrationSeen fact, String runsOn) {
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
    boolean landed(PodSeen pod) {
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
    Optional<MigrationView> ofVm(String vm) {
        return views().stream()
                .filter(view -> view.vm().equals(vm) && !view.phase().ended())
                .findFirst();
    }

    List<MigrationView> views() {
        List<MigrationView> views = new ArrayList<>(known.size());
        known.forEach((name, migration) -> views.add(view(name, migration)));
        views.sort(OLDEST_FIRST);
        return views;
    }

    private MigrationView view(String name, Known migration) {
        var fact = migration.fact();
        var landed = landedOn.getOrDefault(name, fact.roomOn());
        return new MigrationView(
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
