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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells what a history says, and hears itself: what it hears, the verticle that was deployed before it has heard just
 * then, by the reading of the clock that the journal gets. That needs one event loop for both.
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
    private final Map<String, Long> said = new HashMap<>();
    private final Promise<Void> ended = Promise.promise();
    private Bus bus;
    private long looker;
    private boolean silent;
    private boolean listingWanted;
    private long listedAsOf;
    private boolean ends;
    private int looks;
    private int saidWatched;
    private int heardWatched;

    /** What was told of a VM last, and at which instant that was so. */
    private record Known(History.State state, long at) {}

    /** Says nothing while the shared clock is between those two. */
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
                        bus.subscribe(ClusterAddresses.VM_SEEN, this::heard),
                        bus.subscribe(ClusterAddresses.VM_GONE, this::heardGone),
                        bus.subscribe(ClusterAddresses.LISTED, heard -> heardListed()),
                        bus.subscribe(ClusterAddresses.RESYNC_WANTED, wanted -> listingWanted = true),
                        bus.subscribe(ClusterAddresses.VMS_WATCHED, heard -> heardWatched()))
                .onSuccess(hears -> {
                    begin();
                    looker = vertx.setPeriodic(LOOK_EVERY_MS, timer -> look());
                });
    }

    /** Ends once all that was told is written down: the verticle that bills has heard it. */
    @Override
    public Future<?> stop() {
        vertx.cancelTimer(looker);
        ends = true;
        sayWatched();
        return ended.future();
    }

    private void heardListed() {
        journal.add(new Journal.Line.Listed(listedAsOf));
    }

    private void heardWatched() {
        journal.add(new Journal.Line.Watched(clock.said()));
        heardWatched++;
        if (ends && heardWatched == saidWatched) {
            ended.complete();
        }
    }

    private void heard(VmObserved vm) {
        var use = vm.traits()
                .billedTo()
                .map(endpoint -> new History.Use(
                        endpoint, vm.sizes().status().orElseThrow().milliCpu()));
        var uid = vm.vm().uid();
        long dated = vm.traits().changedAtSeconds() * History.SECOND;
        journal.add(new Journal.Line.ReportedChange(uid, changed.get(uid), dated, said.get(uid), clock.said(), use));
    }

    private void heardGone(VmGone vm) {
        var uid = vm.vm().uid();
        journal.add(new Journal.Line.Gone(uid, changed.get(uid), said.get(uid), clock.said()));
    }

    private void begin() {
        long now = clock.nanos();
        for (int vm = 0; vm < history.vms(); vm++) {
            known.add(new Known(history.at(vm, now), now));
        }
        list(now);
    }

    /** Everything as it was then. */
    private void list(long asOf) {
        int there = 0;
        for (int vm = 0; vm < history.vms(); vm++) {
            var state = known.get(vm).state();
            tell(vm, state, asOf);
            there += state.uid().isEmpty() ? 0 : 1;
        }
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, there, there));
        listingWanted = false;
        listedAsOf = asOf;
        sayWatched();
    }

    private void sayWatched() {
        saidWatched++;
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
        looks++;
        if (listingWanted) {
            list(now);
        } else if (looks % LOOKS_PER_WATCHED == 0 || silent) {
            sayWatched();
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
                said.put(uid, clock.nanos());
                bus.publish(ClusterAddresses.VM_GONE, new VmGone(id(vm, uid), state.version()));
            }
            tell(vm, state, first);
        }
        known.set(vm, new Known(state, now));
    }

    private void tell(int vm, History.State state, long first) {
        if (!state.uid().isEmpty()) {
            changed.put(state.uid(), first);
            said.put(state.uid(), clock.nanos());
            bus.publish(ClusterAddresses.VM_SEEN, fact(vm, state));
        }
    }

    private static VmId id(int vm, String uid) {
        return new VmId("neonvm", "default", "vm-" + vm, uid);
    }

    private static VmObserved fact(int vm, History.State state) {
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
