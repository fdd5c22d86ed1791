package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The pods that run VMs, by name and by the migration that made them. Those beyond a bound are not kept. */
public final class Pods {
    private final int most;
    private final Map<String, PodObserved> byUid = new HashMap<>();
    private final Map<String, String> uidByName = new HashMap<>();
    private final Map<String, String> uidByMigration = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** Keeps that many at most. */
    public Pods(int most) {
        this.most = most;
    }

    /** Takes a fact; whether there was room for it. Pods that run no VM are of no interest. */
    public boolean seen(PodObserved seen) {
        if (!seen.runsVm()) {
            return true;
        }
        var known = byUid.get(seen.uid());
        if (known == null && byUid.size() >= most) {
            return false;
        }
        roll.named(seen.uid());
        if (known == null || known.version() <= seen.version()) {
            byUid.put(seen.uid(), seen);
            uidByName.put(seen.namespace() + "/" + seen.name(), seen.uid());
            if (seen.migrationTarget()) {
                uidByMigration.put(seen.namespace() + "/" + seen.migration(), seen.uid());
            }
        }
        return true;
    }

    /** Takes a fact. */
    public void gone(PodGone gone) {
        roll.struck(gone.uid());
        remove(gone.uid());
    }

    /** Drops what was missed for long. */
    public void listed(Consumer<String> missed) {
        roll.listed().forEach(uid -> {
            remove(uid);
            missed.accept(uid);
        });
    }

    /** The pod of that name. */
    public Optional<PodObserved> find(String namespace, String name) {
        return Optional.ofNullable(uidByName.get(namespace + "/" + name)).map(byUid::get);
    }

    /** The pod that a migration made. */
    public Optional<PodObserved> madeBy(String namespace, String migration) {
        return Optional.ofNullable(uidByMigration.get(namespace + "/" + migration))
                .map(byUid::get);
    }

    private void remove(String uid) {
        var known = byUid.remove(uid);
        if (known != null) {
            uidByName.remove(known.namespace() + "/" + known.name(), uid);
            uidByMigration.remove(known.namespace() + "/" + known.migration(), uid);
        }
    }
}
