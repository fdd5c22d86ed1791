package io.sluice.workers;

import io.sluice.bus.Bus;
import io.sluice.messages.vm.BindPod;
import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.core.FleetAction;
import io.sluice.workers.core.FleetAction.Cause;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Outcome;
import io.sluice.workers.core.Worker;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.kubernetes.KubernetesNodes;
import io.sluice.workers.resize.ResizeTurns;
import io.sluice.workers.store.GroupCommit;
import io.sluice.workers.v1.InventoryRequest;
import io.sluice.workers.v1.ResizeAsk;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.Welcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes each step of the fleet to its end: it writes the rows, and then does what follows. Used on one context. */
final class FleetRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(FleetRuntime.class);
    private static final int PLACED_AT_ONCE = 64;
    private static final long PLACE_SOON_MS = 50;
    private static final int EVENTS_MAX = 100_000;

    private final Vertx vertx;
    private final WorkersConfig config;
    private final WorkerFleet fleet;
    private final GroupCommit commit;
    private final Supplier<Instant> clock;
    private final WorkerSessions sessions;
    private final StatusLog events;
    private final WorkerObservations observations;
    private final Placer placer;
    private final ResizeTurns resizes;
    private final WorkerUse use;
    private final Set<String> resizing = new HashSet<>();
    private final Map<String, Promise<Optional<String>>> awaited = new HashMap<>();
    private final Map<String, Promise<Optional<String>>> undecided = new HashMap<>();
    private boolean placesSoon;
    private boolean placesNext;

    FleetRuntime(
            Vertx vertx,
            WorkersConfig config,
            WorkerFleet fleet,
            GroupCommit commit,
            Bus bus,
            Supplier<Instant> clock,
            BooleanSupplier leads) {
        this.vertx = vertx;
        this.config = config;
        this.fleet = fleet;
        this.commit = commit;
        this.clock = clock;
        sessions = new WorkerSessions(leads);
        events = new StatusLog(EVENTS_MAX, clock.get().toEpochMilli());
        observations = new WorkerObservations(bus, fleet, clock, this::roomCame);
        placer = new Placer(bus);
        use = new WorkerUse(this);
        resizes = new ResizeTurns(vertx, bus, fleet, leads);
    }

    WorkerFleet fleet() {
        return fleet;
    }

    WorkerSessions sessions() {
        return sessions;
    }

    StatusLog events() {
        return events;
    }

    WorkerObservations observations() {
        return observations;
    }

    WorkerUse use() {
        return use;
    }

    /** What nodes of Kubernetes need of this process. */
    KubernetesNodes.Sessions kubernetes() {
        return new KubernetesNodes.Sessions() {
            @Override
            public long open(String worker, Consumer<SchedulerFrame> orders) {
                var session = sessions.open(WorkerSessions.Stream.within(orders), Instant.MAX, now());
                session.registered(worker);
                return session.number();
            }

            @Override
            public void apply() {
                FleetRuntime.this.apply();
            }

            @Override
            public void roomCame() {
                FleetRuntime.this.roomCame();
            }
        };
    }

    ResizeTurns resizes() {
        return resizes;
    }

    Instant now() {
        return clock.get();
    }

    FleetTiming timing() {
        return config.timing();
    }

    /** Whether nothing can be made durable now. */
    boolean storeDown() {
        return commit.failing();
    }

    /** The steps that wait for the store. */
    int stepsWaiting() {
        return commit.waiting();
    }

    /** Ends the step under way; completes once it is durable and what follows was begun. */
    Future<Void> apply() {
        var step = fleet.step();
        return commit.write(step.rows()).onSuccess(durable -> step.actions().forEach(this::perform));
    }

    /** What time alone changes. */
    void tick() {
        fleet.passed(now());
        sessions.closeUnregistered(config.lease(), now());
        sessions.closeUncertified(now()).forEach((worker, session) -> fleet.closed(worker, session, now()));
        sessions.resume();
        use.prune();
        placeNow();
    }

    private void placeNow() {
        placesSoon = false;
        if (!storeDown()) {
            fleet.place(PLACED_AT_ONCE, now());
        }
        apply();
    }

    private void roomCame() {
        fleet.roomCame();
        placeSoon();
    }

    private void placeSoon() {
        if (!placesSoon) {
            placesSoon = true;
            vertx.setTimer(PLACE_SOON_MS, timer -> placeNow());
        }
    }

    private void perform(FleetAction action) {
        switch (action) {
            case FleetAction.Welcome welcome -> welcome(welcome);
            case FleetAction.Close(var session, var cause, var reason) ->
                sessions.close(session, status(cause), reason);
            case FleetAction.Send(var session, var epoch, var order) ->
                WireForm.frame(order, epoch, fleet.instance(order.instance()), (int)
                                config.stopGrace().toSeconds())
                        .ifPresent(frame -> sessions.send(session, frame));
            case FleetAction.RequestInventory(var session) -> requestInventory(session);
            case FleetAction.Place(var instance) -> place(instance);
            case FleetAction.Decided(var uid, var refusal) ->
                Optional.ofNullable(undecided.remove(uid)).ifPresent(waiting -> waiting.complete(refusal));
            case FleetAction.ObserveNode(var worker) -> observations.node(worker);
            case FleetAction.ObserveBound(var instance) -> observations.bound(instance);
            case FleetAction.ObserveGone(var uid, var worker, var version) -> observations.gone(uid, worker, version);
            case FleetAction.GiveBack(var instance) -> resizes.giveBack(instance);
            case FleetAction.InstanceEvent(var instance) -> announce(instance);
            case FleetAction.WorkerEvent(var worker) -> announce(worker);
        }
    }

    private void welcome(FleetAction.Welcome welcome) {
        sessions.find(welcome.session()).ifPresent(session -> session.welcomed(welcome.epoch()));
        sessions.send(
                welcome.session(),
                SchedulerFrame.newBuilder()
                        .setSessionEpoch(welcome.epoch())
                        .setWelcome(Welcome.newBuilder()
                                .setSessionEpoch(welcome.epoch())
                                .setHeartbeatMs(
                                        (int) fleet.heartbeat(welcome.worker()).toMillis())
                                .setLeaseMs((int) config.lease().toMillis())
                                .setSelfFenceMs((int) config.selfFence().toMillis())
                                .setStopGraceMs((int) config.stopGrace().toMillis())
                                .setFullInventory(true))
                        .build());
    }

    void requestInventory(long session) {
        sessions.send(
                session,
                SchedulerFrame.newBuilder()
                        .setInventory(InventoryRequest.getDefaultInstance())
                        .build());
    }

    /**
     * A worker requests more for an instance, or reports that it needs less. Of more it gets what there is.
     *
     * @return why nothing is done; empty if something is
     */
    Optional<String> resize(String worker, ResizeAsk request) {
        var id = request.getInstanceId();
        var target = WireForm.amounts(request.getWantList());
        var found = fleet.instanceOn(worker, id).filter(instance -> !target.hasZero());
        if (found.isEmpty() || fleet.mayResize(id, target).code() != Outcome.Code.ACCEPTED || !resizing.add(id)) {
            return Optional.of("resize");
        }
        var instance = found.get();
        var decided = target.exceeds(instance.granted())
                ? resizes.more(
                        instance,
                        target,
                        permit ->
                                resized(instance, permit.max(instance.granted()).min(target)))
                : Future.succeededFuture(resized(instance, target));
        decided.onComplete(done -> resizing.remove(id));
        return Optional.empty();
    }

    /** Returns whether the instance changes. */
    private boolean resized(Instance instance, Resources size) {
        boolean changes = !size.equals(instance.granted());
        if (changes) {
            fleet.resized(instance.id(), instance.numbers().generation(), size, now());
            apply();
        }
        return changes;
    }

    private static GrpcStatus status(Cause cause) {
        return switch (cause) {
            case SUPERSEDED -> GrpcStatus.ABORTED;
            case KEY_TAKEN -> GrpcStatus.ALREADY_EXISTS;
            case TOO_MANY_WORKERS -> GrpcStatus.RESOURCE_EXHAUSTED;
            case LEFT -> GrpcStatus.OK;
            case BANNED, KEY_REVOKED -> GrpcStatus.PERMISSION_DENIED;
        };
    }

    private void place(Instance instance) {
        observations.pending(instance);
        var candidates = fleet.candidates(instance, now());
        var others = candidates.isEmpty() ? fleet.obstacles(instance, now()) : "";
        placer.place(instance, candidates, others).onSuccess(missing -> {
            missing.ifPresent(reason -> {
                fleet.notPlaced(instance.uid(), reason, now());
                apply();
            });
            Optional.ofNullable(awaited.remove(instance.uid())).ifPresent(waiting -> waiting.complete(missing));
            placeNext();
        });
    }

    /** An attempt is over, so that others may begin: once for all that end in this turn. */
    private void placeNext() {
        if (!placesNext) {
            placesNext = true;
            vertx.runOnContext(turn -> {
                placesNext = false;
                placeNow();
            });
        }
    }

    /** A stream has ended. */
    void ended(WorkerSessions.Session session) {
        sessions.ended(session.number()).flatMap(WorkerSessions.Session::worker).ifPresent(worker -> {
            fleet.closed(worker, session.number(), now());
            apply();
        });
    }

    /** Completes with the first attempt to place that start; with why it has no worker, or empty if it has one. */
    Future<Optional<String>> placed(String uid) {
        return awaited.computeIfAbsent(uid, key -> Promise.promise()).future();
    }

    /**
     * Writes a worker down for an instance, once that is so for all that start with it.
     *
     * @return why it is not; empty if it is
     */
    Future<Optional<String>> bind(BindPod bind) {
        boolean together = fleet.startsTogether(bind.uid());
        var refused = fleet.bind(bind.uid(), bind.version(), bind.node(), now());
        if (!together || refused.isPresent()) {
            return apply().map(durable -> refused);
        }
        Promise<Optional<String>> decided = Promise.promise();
        undecided.put(bind.uid(), decided);
        apply();
        return decided.future();
    }

    private void announce(Instance instance) {
        if (instance.state() == InstanceState.PENDING || !instance.state().holdsRoom()) {
            placeSoon();
        }
        events.add(StatusEvent.newBuilder().setInstance(WireForm.shown(instance)), now());
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, instance.id())
                .addKeyValue(LogKeys.NODE, instance.worker())
                .addKeyValue(LogKeys.KIND, instance.state())
                .addKeyValue(LogKeys.REASON, instance.status().reason())
                .log("An instance has another state.");
    }

    private void announce(Worker worker) {
        placeSoon();
        events.add(StatusEvent.newBuilder().setWorker(shown(worker)), now());
        LOG.atInfo()
                .addKeyValue(LogKeys.NODE, worker.id())
                .addKeyValue(LogKeys.KIND, worker.state())
                .log("A worker has another state.");
    }

    WorkerInfo shown(Worker worker) {
        return WireForm.shown(worker, fleet.instancesOn(worker.id()).size(), use.of(worker.id(), now()));
    }

    /** All workers and instances, as events. */
    List<StatusEvent.Builder> snapshot() {
        return Stream.concat(
                        fleet.workers().stream()
                                .map(worker -> StatusEvent.newBuilder().setWorker(shown(worker))),
                        fleet.instances().stream()
                                .map(instance -> StatusEvent.newBuilder().setInstance(WireForm.shown(instance))))
                .toList();
    }

    List<WorkerInfo> workers() {
        return fleet.workers().stream().map(this::shown).toList();
    }
}
