package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The VMs that were heard of, by name. Those beyond a bound are not kept, and so never moved. */
public final class Vms {
    private final int most;
    private final Map<String, KnownVm> vms = new HashMap<>();
    private final Map<String, String> alwaysMigrate = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** Keeps that many at most. */
    public Vms(int most) {
        this.most = most;
    }

    /** Takes a fact; whether there was room for it. */
    public boolean seen(VmObserved seen) {
        var label = seen.vm().label();
        var known = vms.get(label);
        if (known == null && vms.size() >= most) {
            return false;
        }
        roll.named(label);
        if (known == null || known.version() <= seen.version()) {
            vms.put(label, KnownVm.of(seen));
            noteAlways(seen);
        }
        return true;
    }

    /** Takes a fact; whether that VM was known. */
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

    private void noteAlways(VmObserved seen) {
        if (seen.alwaysMigrate()) {
            alwaysMigrate.put(seen.vm().label(), seen.node());
        } else {
            alwaysMigrate.remove(seen.vm().label());
        }
    }

    /** Drops what was missed for long. */
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

    /** Whether some VM there is moved whenever that is possible. */
    public boolean alwaysMigrateOn(String node) {
        return alwaysMigrate.containsValue(node);
    }
}
