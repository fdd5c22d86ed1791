package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The observed VMs, by name. Their number is bounded; a VM beyond it is never migrated. */
public final class Vms {
    private final int most;
    private final Map<String, KnownVm> vms = new HashMap<>();
    private final Map<String, String> alwaysMigrate = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** @param most the largest number of VMs */
    public Vms(int most) {
        this.most = most;
    }

    /** Applies an observation; returns false if the limit is reached. */
    public boolean observed(VmObserved observed) {
        var label = observed.vm().label();
        var known = vms.get(label);
        if (known == null && vms.size() >= most) {
            return false;
        }
        roll.named(label);
        if (known == null || known.version() <= observed.version()) {
            vms.put(label, KnownVm.of(observed));
            recordAlways(observed);
        }
        return true;
    }

    /** Removes a VM whose deletion was observed; returns whether it was present. */
    public boolean gone(VmGone gone) {
        var label = gone.vm().label();
        var known = vms.get(label);
        if (known == null || !known.id().equals(gone.vm())) {
            return false;
        }
        vms.remove(label);
        alwaysMigrate.remove(label);
        roll.struck(label);
        return true;
    }

    private void recordAlways(VmObserved observed) {
        if (observed.alwaysMigrate()) {
            alwaysMigrate.put(observed.vm().label(), observed.node());
        } else {
            alwaysMigrate.remove(observed.vm().label());
        }
    }

    /** Removes VMs that were missing from two full lists in a row. */
    public void listed(Consumer<KnownVm> missed) {
        roll.listed().forEach(label -> {
            alwaysMigrate.remove(label);
            Optional.ofNullable(vms.remove(label)).ifPresent(missed);
        });
    }

    /** The VM of that name. */
    public Optional<KnownVm> find(String namespace, String name) {
        return Optional.ofNullable(vms.get(namespace + "/" + name));
    }

    /** Whether a VM on that node is migrated whenever that is possible. */
    public boolean alwaysMigrateOn(String node) {
        return alwaysMigrate.containsValue(node);
    }
}
