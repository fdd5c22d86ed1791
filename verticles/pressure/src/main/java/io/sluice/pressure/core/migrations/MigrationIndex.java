package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.shell.BoundedMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The migrations by key and by VM, and the objects that have ended recently. */
final class MigrationIndex {
    /** The largest number of migrations. */
    static final int KEPT_MAX = 10_000;

    private final Map<MigrationKey, Migration> all = new LinkedHashMap<>();
    private final Map<String, Set<MigrationKey>> byVm = new HashMap<>();
    private final Map<String, Long> over = BoundedMap.ofNewest(KEPT_MAX);

    Optional<Migration> find(MigrationKey key) {
        return Optional.ofNullable(all.get(key));
    }

    Collection<Migration> all() {
        return List.copyOf(all.values());
    }

    boolean full() {
        return all.size() >= KEPT_MAX;
    }

    /** The migrations of one VM. */
    Stream<Migration> of(String namespace, String vmName) {
        return byVm.getOrDefault(label(namespace, vmName), Set.of()).stream().map(all::get);
    }

    Migration add(Migration migration) {
        var about = migration.about();
        all.put(about.key(), migration);
        byVm.computeIfAbsent(label(about.key().namespace(), about.vmName()), vm -> new LinkedHashSet<>())
                .add(about.key());
        return migration;
    }

    /** Removes a migration that is complete; later observations of its object are old. */
    void remove(Migration migration) {
        var key = migration.about().key();
        all.remove(key);
        byVm.computeIfPresent(label(key.namespace(), migration.about().vmName()), (vm, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
        if (migration.object().known()) {
            over.merge(migration.object().uid(), migration.object().version(), Math::max);
        }
    }

    /** The object with that uid was deleted. */
    void deleted(String uid) {
        over.put(uid, Long.MAX_VALUE);
    }

    /** Whether an observation of that version is old because the object has ended. */
    boolean isOver(String uid, long version) {
        return over.getOrDefault(uid, Long.MIN_VALUE) >= version;
    }

    private static String label(String namespace, String vmName) {
        return namespace + "/" + vmName;
    }
}
