package io.sluice.kills;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * Publishes a history, and subscribes to it itself. When it receives a message, the verticle that was deployed before
 * it has just received it, at the clock reading that the journal records. That needs one event loop for both.
 */
final class HistoryPublisher extends VerticleBase {
    private static final long LOOK_EVERY_MS = 5;
    private static final int LOOKS_PER_WATCHED = 20;
    private static final long GIB = 1L << 30;
    private static final Resources MOST = new Resources(16_000, 64 * GIB);

    private final History history;
    private final SharedClock clock;
    private final Journal journal;
    private final long silentFrom;
    private final long silentTo;
    private final List<Known> known = new ArrayList<>();
    private final Map<String, Long> changed = new HashMap<>();
    private final Map<String, Long> reported = new HashMap<>();
    private final Promise<Void> ended = Promise.promise();
    private Bus bus;
    private long looker;
    private boolean silent;
    private boolean fullListWanted;
    private long listedAsOf;
    private boolean ends;
    private int looks;
    private long lastLook;
    private final Queue<Long> looksReported = new ArrayDeque<>();

    /** The last published state of a VM, and its time. */
    private record Known(History.State state, long at) {}

    /** Publishes nothing while the shared clock is between the two instants. */
    HistoryPublisher(History history, SharedClock clock, Journal journal, long silentFrom, long silentTo) {
        this.history = history;
        this.clock = clock;
        this.journal = journal;
        this.silentFrom = silentFrom;
        this.silentTo = silentTo;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        return Future.all(
                        bus.subscribe(ClusterAddresses.VM_OBSERVED, this::received),
                        bus.subscribe(ClusterAddresses.VM_GONE, this::receivedGone),
                        bus.subscribe(ClusterAddresses.LISTED, received -> receivedListed()),
                        bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> fullListWanted = true),
                        bus.subscribe(ClusterAddresses.VMS_WATCHED, this::receivedWatched))
                .onSuccess(done -> {
                    begin();
                    looker = vertx.setPeriodic(LOOK_EVERY_MS, timer -> look());
                });
    }

    /** Completes when all published messages are in the journal; the billing verticle has received them by then. */
    @Override
    public Future<?> stop() {
        vertx.cancelTimer(looker);
        ends = true;
        reportWatched();
        return ended.future();
    }

    private void receivedListed() {
        journal.add(new Journal.Line.Listed(listedAsOf));
    }

    private void receivedWatched(VmsWatched watched) {
        if (watched.driver().equals("pod")) {
            return;
        }
        journal.add(new Journal.Line.Watched(looksReported.remove(), clock.reported()));
        if (ends && looksReported.isEmpty()) {
            ended.complete();
        }
    }

    private void received(VmObserved vm) {
        var use = vm.traits()
                .billedTo()
                .map(endpoint -> new History.Use(
                        endpoint, vm.sizes().status().orElseThrow().milliCpu()));
        var uid = vm.vm().uid();
        long dated = vm.traits().changedAtSeconds() * History.SECOND;
        journal.add(new Journal.Line.ReportedChange(
                uid, changed.get(uid), dated, reported.get(uid), clock.reported(), use));
    }

    private void receivedGone(VmGone vm) {
        var uid = vm.vm().uid();
        journal.add(new Journal.Line.Gone(uid, changed.get(uid), reported.get(uid), clock.reported()));
    }

    private void begin() {
        long now = clock.nanos();
        for (int vm = 0; vm < history.vms(); vm++) {
            known.add(new Known(history.at(vm, now), now));
        }
        list(now);
    }

    /** Publishes the state of all VMs at that time. */
    private void list(long asOf) {
        int there = 0;
        for (int vm = 0; vm < history.vms(); vm++) {
            var state = known.get(vm).state();
            report(vm, state, asOf);
            there += state.uid().isEmpty() || vm % 2 == 1 ? 0 : 1;
        }
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, there, there));
        fullListWanted = false;
        listedAsOf = asOf;
        lastLook = asOf;
        reportWatched();
    }

    /** The journal has a line when the second of the two is received. */
    private void reportWatched() {
        looksReported.add(lastLook);
        bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched("pod", 1));
        bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched("neonvm", 1));
    }

    private void look() {
        long now = clock.nanos();
        if (now >= silentFrom && now < silentTo) {
            if (!silent) {
                journal.add(new Journal.Line.Silent(now));
            }
            silent = true;
            return;
        }
        for (int vm = 0; vm < history.vms(); vm++) {
            lookAt(vm, now);
        }
        lastLook = now;
        looks++;
        if (fullListWanted) {
            list(now);
        } else if (looks % LOOKS_PER_WATCHED == 0 || silent) {
            reportWatched();
        }
        silent = false;
    }

    private void lookAt(int vm, long now) {
        var before = known.get(vm);
        var state = history.at(vm, now);
        if (state.version() != before.state().version()) {
            long first = history.next(vm, before.at());
            var uid = before.state().uid();
            if (!uid.isEmpty() && !uid.equals(state.uid())) {
                changed.put(uid, first);
                reported.put(uid, clock.nanos());
                bus.publish(ClusterAddresses.VM_GONE, new VmGone(id(vm, uid), state.version()));
            }
            report(vm, state, first);
        }
        known.set(vm, new Known(state, now));
    }

    private void report(int vm, History.State state, long first) {
        if (!state.uid().isEmpty()) {
            changed.put(state.uid(), first);
            reported.put(state.uid(), clock.nanos());
            bus.publish(ClusterAddresses.VM_OBSERVED, observation(vm, state));
        }
    }

    private static VmId id(int vm, String uid) {
        return new VmId(vm % 2 == 0 ? "neonvm" : "pod", "default", "vm-" + vm, uid);
    }

    private static VmObserved observation(int vm, History.State state) {
        var size = new Resources(state.use().map(History.Use::milliCpu).orElse(250L), GIB);
        return new VmObserved(
                id(vm, state.uid()),
                state.version(),
                "pod-" + state.uid(),
                "pod-" + vm,
                "node-a",
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(new Resources(250, GIB), MOST, size, Optional.of(size), GIB),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE.billed(state.use().map(History.Use::endpoint), state.since() / History.SECOND));
    }
}
