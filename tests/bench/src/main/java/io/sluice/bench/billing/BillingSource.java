package io.sluice.bench.billing;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Optional;

/** Publishes observations of VMs that never change, as often as windows end, until it is made quiet. */
final class BillingSource extends VerticleBase {
    private static final String UID = "00000000-0000-4000-8000-";
    private static final long GIB = 1L << 30;
    private static final long UNIT = 250;
    private static final int SIZES = 16;
    private static final Resources MOST = new Resources(UNIT * SIZES, SIZES * GIB);

    private final int vms;
    private final long everyMs;
    private Bus bus;
    private volatile boolean quiet;

    /** @param everyMs interval of observations: with each, windows that are over end */
    BillingSource(int vms, long everyMs) {
        this.vms = vms;
        this.everyMs = everyMs;
    }

    /** The CPU of the VM of that uid. */
    static long milliCpu(String uid) {
        return UNIT * (1 + Integer.parseInt(uid.substring(UID.length())) % SIZES);
    }

    /** Nothing is billed from then on. Thread-safe. */
    void quiet() {
        quiet = true;
    }

    /** Billing goes on; VMs that have not changed are billed for the time between. Thread-safe. */
    void loud() {
        quiet = false;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        return bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> list()).onSuccess(done -> {
            vertx.setPeriodic(everyMs, timer -> watch());
            list();
        });
    }

    private void watch() {
        if (!quiet) {
            bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched("neonvm", 1));
            bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched("pod", 1));
        }
    }

    private void list() {
        if (!quiet) {
            for (int index = 0; index < vms; index++) {
                bus.publish(ClusterAddresses.VM_OBSERVED, vm(index));
            }
            bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, vms, vms));
        }
    }

    private static VmObserved vm(int index) {
        var uid = UID + "%012d".formatted(index);
        var size = new Resources(milliCpu(uid), GIB);
        return new VmObserved(
                new VmId("neonvm", "default", "compute-" + index, uid),
                1,
                "pod-" + uid,
                "compute-" + index + "-pod",
                "node-a",
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(new Resources(UNIT, GIB), MOST, size, Optional.of(size), GIB),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE.billed(Optional.of("ep-quiet-meadow-" + index), 0));
    }
}
