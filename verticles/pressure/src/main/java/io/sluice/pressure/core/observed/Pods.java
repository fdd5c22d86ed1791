package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The observed pods of VMs, by name and by the migration that created them. The number of pods is bounded. */
public final class Pods {
    private final int most;
    private final Map<String, PodObserved> byUid = new HashMap<>();
    private final Map<String, String> uidByName = new HashMap<>();
    private final Map<String, String> uidByMigration = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** @param most the largest number of pods */
    public Pods(int most) {
        this.most = most;
    }

    /** Applies an observation; returns false if the limit is reached. Pods without a VM are ignored. */
    public boolean observed(PodObserved observed) {
        if (!observed.runsVm()) {
            return true;
        }
        var known = byUid.get(observed.uid());
        if (known == null && byUid.size() >= most) {
            return false;
        }
        roll.named(observed.uid());
        if (known == null || known.version() <= observed.version()) {
            byUid.put(observed.uid(), observed);
            uidByName.put(observed.namespace() + "/" + observed.name(), observed.uid());
            if (observed.migrationTarget()) {
                uidByMigration.put(observed.namespace() + "/" + observed.migration(), observed.uid());
            }
        }
        return true;
    }

    /** Removes a pod whose end was observed. */
    public void gone(PodGone gone) {
        roll.struck(gone.uid());
        remove(gone.uid());
    }

    /** Removes pods that were missing from two full lists in a row. */
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

    /** The pod that a migration created. */
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
