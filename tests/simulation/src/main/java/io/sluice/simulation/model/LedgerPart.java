package io.sluice.simulation.model;

import io.sluice.ledger.clustered.LedgerProcesses;
import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.RelistRequests;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The ledger: the real core over state in memory, which can be lost; in a third of the histories over three processes.
 */
public final class LedgerPart {
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(10);
    private static final long TICK = Seconds.of(1);
    private static final long REQUESTED_AND_LISTED = Seconds.of(90);
    private static final long COALESCED = Seconds.ofMillis(100);

    private final World world;
    private final Clock clock;
    private final NodeLedger ledger;
    private final Link toPressure;
    private final Link toCluster;
    private final Link toInformers;
    private final Optional<LedgerFaults> several;
    private Optional<LedgerProcesses.Owner> owner = Optional.empty();
    private RelistRequests wanted = new RelistRequests();
    private long incarnation;
    private final Map<String, NodeState> states = new LinkedHashMap<>();
    private final Set<String> announced = new HashSet<>();
    private final Set<String> covered = new HashSet<>();
    private final Map<String, Long> lostAt = new HashMap<>();
    private final Map<String, Long> lostTime = new HashMap<>();
    private final Map<String, String> reported = new HashMap<>();
    private final Map<String, Long> missed = new HashMap<>();
    private final Map<String, Long> released = new HashMap<>();
    private final Map<String, Long> noticedAt = new HashMap<>();
    private final Map<String, NodeObserved> nodeObservations = new HashMap<>();
    private final Map<String, Instant> unreadySince = new HashMap<>();

    LedgerPart(World world, double watermark) {
        this.world = world;
        this.clock = world.clock("ledger");
        this.toPressure = world.bus().link("ledger -> pressure");
        this.toCluster = world.bus().link("ledger sums -> cluster");
        this.toInformers = world.bus().link("ledger -> informers");
        this.ledger = new NodeLedger(new LedgerRules(
                PERMIT_VALID_FOR, watermark, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.NONE));
        world.time().in(TICK, this::tick);
        var chance = world.faults().chance("ledgers");
        several = chance.oneIn(3) ? Optional.of(new LedgerFaults(world, chance)) : Optional.empty();
    }

    /** Ends all faults. */
    void quiet() {
        several.ifPresent(LedgerFaults::quiet);
    }

    /** Runs a command if a process may run it; otherwise there is no reply. */
    public <A> void serve(String node, LedgerCommand<A> command, Consumer<? super A> reply) {
        served(List.of(node), () -> reply.accept(run(node, command)));
    }

    /** Sends an observation to every process; a frozen one runs it later. */
    void observe(String node, LedgerCommand<?> observation) {
        Runnable work = () -> run(node, observation);
        boolean taken = several.isEmpty();
        if (taken) {
            work.run();
        }
        for (int place = 0; several.isPresent() && place < LedgerProcesses.SIZE; place++) {
            int requested = place;
            boolean waits = several.get().processes().waits(requested, () -> served(requested, List.of(node), work));
            taken = taken || !waits && served(requested, List.of(node), work);
        }
        if (!taken) {
            unserved(observation);
        }
    }

    /** Runs work that sends commands to the node, as soon as a process may run them. */
    public void reach(String node, Runnable work) {
        served(List.of(node), work);
    }

    /** Runs work on the newest state of these nodes, if a process has it and a majority. */
    private void served(Collection<String> nodes, Runnable work) {
        if (several.isEmpty()) {
            work.run();
            return;
        }
        var processes = several.get().processes();
        int requested = processes.any();
        if (!processes.waits(requested, () -> served(requested, nodes, work))) {
            served(requested, nodes, work);
        }
    }

    private boolean served(int requested, Collection<String> nodes, Runnable work) {
        owner = several.orElseThrow().processes().owner(requested, world.time().now());
        owner.ifPresentOrElse(
                it -> {
                    nodes.forEach(node -> adopt(it, node));
                    work.run();
                },
                world.tally()::refused);
        return owner.isPresent();
    }

    private void adopt(LedgerProcesses.Owner it, String node) {
        it.state(node)
                .ifPresentOrElse(
                        state -> states.put(node, state),
                        () -> lose(List.of(node).stream()
                                .filter(states::containsKey)
                                .toList()));
    }

    /** Requests again what could not be stored. */
    private void unserved(LedgerCommand<?> command) {
        if (command instanceof LedgerCommand.ObservePod(var pod)) {
            missed(pod.uid());
        }
        switch (command) {
            case LedgerCommand.ObserveNode _,
                    LedgerCommand.LoseNode _,
                    LedgerCommand.LosePod _,
                    LedgerCommand.ObserveVm _ -> wanted.missing("what was observed");
            default -> {}
        }
    }

    public <A> A run(String node, LedgerCommand<A> command) {
        var before = of(node);
        var outcome = ledger.apply(before, command, clock.now(), ++incarnation);
        var after = outcome.state();
        record(node, command, outcome.reply());
        count(command, outcome.reply(), outcome.notices());
        if (before != after) {
            states.put(node, after);
            owner.ifPresent(it -> it.keep(node, after));
            announce(node);
        }
        world.happened(new Happening.Commanded(node, before, command, outcome.reply(), after));
        if (world.journal().listens() && (before != after || !(command instanceof LedgerCommand.Tick))) {
            world.report("ledger " + node + " " + world.words(command) + " => " + world.words(outcome.reply())
                    + (before == after
                            ? ", unchanged"
                            : ", reserved " + World.text(after.sums().reserved())));
        }
        return outcome.reply();
    }

    private void record(NodeObserved observation) {
        var newest = nodeObservations.get(observation.node());
        if (newest == null || newest.version() < observation.version()) {
            nodeObservations.put(observation.node(), observation);
            if (observation.ready()) {
                unreadySince.remove(observation.node());
            } else {
                unreadySince.putIfAbsent(observation.node(), clock.now());
            }
        }
    }

    /** How long the node was observed as not ready, by the ledger's clock; empty if it is ready. */
    public Optional<Duration> unreadyFor(String node) {
        return Optional.ofNullable(unreadySince.get(node)).map(since -> Duration.between(since, clock.now()));
    }

    private void record(String node, LedgerCommand<?> command, Object reply) {
        if (command instanceof LedgerCommand.ObserveNode(var observation)) {
            record(observation);
        } else if (command instanceof LedgerCommand.LoseNode) {
            unreadySince.remove(node);
        } else if (command instanceof LedgerCommand.Load(var fullList)) {
            if (((LoadReply) reply).relist().isPresent()) {
                return;
            }
            record(fullList.node());
            if (fullList.version() >= lostAt.getOrDefault(node, 0L)) {
                covered.add(node);
            }
            fullList.pods().forEach(pod -> {
                reported.put(pod.uid(), node);
                missed.computeIfPresent(pod.uid(), (uid, at) -> fullList.version() < at ? at : null);
            });
        } else if (command instanceof LedgerCommand.ObservePod(var pod)) {
            reported.put(pod.uid(), node);
        } else if (command instanceof LedgerCommand.ObserveVm(var vm) && reply == ObservationReply.POD_MISSING) {
            wanted.missing("a VM without its pod");
            noticedAt.putIfAbsent(vm.pod(), world.time().now());
        } else if (reply instanceof PermitReply.NotReady || reply instanceof OpenReply.NotReady) {
            wanted.missing("the ledger state of " + node);
        } else if (command instanceof LedgerCommand.Release(var _, var attempt)) {
            released.put(attempt, world.time().now());
        }
    }

    /** Whether ledger state was lost that recorded the release of the attempt. */
    private boolean isForgotten(String node, String attempt) {
        return released.containsKey(attempt) && lostSince(node, released.get(attempt));
    }

    /** Whether a hold of that attempt was released, and the ledger state of the node has recorded it ever since. */
    public boolean containsReleased(String node, String attempt) {
        return released.containsKey(attempt) && !isForgotten(node, attempt);
    }

    private void count(LedgerCommand<?> command, Object reply, List<LedgerNotice> notices) {
        if (reply instanceof PermitReply.Ruled ruled && command instanceof LedgerCommand.RequestPermit request) {
            world.tally().ruled(request.request().target().exceeds(ruled.permit()));
        }
        if (reply instanceof HoldReply.RoomKept) {
            world.tally().deniedForKeptRoom();
        }
        for (var notice : notices) {
            if (notice instanceof LedgerNotice.NodeCompleted) {
                world.tally().loaded();
            }
        }
    }

    private void tick() {
        wanted.tick().ifPresent(missing -> requestList());
        for (var node : List.copyOf(states.keySet())) {
            serve(node, new LedgerCommand.Tick(), changes -> {});
        }
        world.time().in(TICK, this::tick);
    }

    private void requestList() {
        world.happened(new Happening.RelistWanted());
        world.bus().report(toInformers, () -> world.cluster().listSooner());
    }

    private void announce(String node) {
        if (announced.add(node)) {
            world.time().in(COALESCED, () -> {
                announced.remove(node);
                var summary = LedgerView.summary(of(node), 0);
                world.bus().report(toPressure, () -> world.pressure().received(summary));
                world.bus().report(toCluster, () -> world.cluster().loading().settle(node, summary.unsettled()));
            });
        }
    }

    public void snapshot(String node, Consumer<Snapshot> reply) {
        served(node.isEmpty() ? List.copyOf(states.keySet()) : List.of(node), () -> reply.accept(snapshot(node)));
    }

    private Snapshot snapshot(String node) {
        var requested = node.isEmpty() ? states.values() : List.of(of(node));
        return new Snapshot(requested.stream()
                .filter(state -> !state.isBlank())
                .map(state -> LedgerView.full(state, 0))
                .toList());
    }

    /** Loses the ledger state of these nodes. */
    void lose(Collection<String> nodes) {
        nodes.forEach(node -> {
            states.remove(node);
            several.ifPresent(it -> it.processes().forget(node));
            nodeObservations.remove(node);
            unreadySince.remove(node);
            covered.remove(node);
            lostAt.put(node, world.api().version());
            lostTime.put(node, world.time().now());
            reported.values().removeIf(node::equals);
        });
    }

    /** Ends the process and starts another one, whose clock may show another time. */
    void crash() {
        lose(List.copyOf(states.keySet()));
        wanted = new RelistRequests();
        noticedAt.clear();
        clock.reset();
        world.happened(new Happening.LedgerBegun());
    }

    /** The present time, as node ledgers get it. */
    public Instant now() {
        return clock.now();
    }

    Collection<String> nodes() {
        return List.copyOf(states.keySet());
    }

    /** The ledger state of a node. */
    public NodeState of(String node) {
        return states.getOrDefault(node, NodeState.blank(node));
    }

    /** Records that an observation of that pod was lost on its way to the ledger. */
    void missed(String pod) {
        missed.put(pod, world.api().version());
    }

    /**
     * Whether an observation of that pod was lost, and no full list that began later has arrived. This ends when a VM
     * was observed in the pod and the time has passed that requesting and reading a full list may take.
     */
    boolean missedOf(String pod) {
        long noticed = noticedAt.getOrDefault(pod, Long.MAX_VALUE - REQUESTED_AND_LISTED);
        return missed.containsKey(pod) && world.time().now() < noticed + REQUESTED_AND_LISTED;
    }

    /** Whether ledger state of the node was lost since then. */
    public boolean lostSince(String node, long then) {
        return lostTime.getOrDefault(node, 0L) >= then;
    }

    /**
     * Whether a full list was loaded that was requested after the last loss of the node's state. It is recorded here,
     * independently of the ledger state.
     */
    public boolean covers(String node) {
        return covered.contains(node);
    }

    /** Whether that pod was observed since the last loss of its node's state. */
    boolean reportedOf(String pod) {
        return reported.containsKey(pod);
    }

    /** Whether the ledger would accept that permit request as the newest one for its reservation. */
    public boolean receives(PermitRequest request) {
        return reservation(request.node(), request.pod())
                .filter(reservation -> reservation.session().session() == request.session()
                        && reservation.session().runner().equals(request.runner()))
                .isPresent();
    }

    /** The permit that the ledger would give for that request now; what is requested where it would give none. */
    public Resources permitOf(LedgerCommand.RequestPermit request) {
        var of = request.request();
        return ledger.apply(of(of.node()), request, clock.now(), incarnation).reply() instanceof PermitReply.Ruled ruled
                ? ruled.permit()
                : of.target();
    }

    /** Whether the ledger has observed the VM of that pod since its permit last grew. */
    public boolean isObservedSinceGrowth(String node, String pod) {
        return reservation(node, pod)
                .filter(it -> it.session().observedSinceGrowth(it.observations()))
                .isPresent();
    }

    /** A reservation of a node. */
    public Optional<Reservation> reservation(String node, String pod) {
        return of(node).reservations().find(pod);
    }

    Optional<Reservation> reservation(ModelVmObject vm) {
        return vm.pod.flatMap(pod -> reservation(pod.node, pod.uid));
    }

    /** The largest reservation of a VM on any node. */
    Optional<Resources> mostReservedFor(String vm) {
        Resources most = null;
        for (var state : states.values()) {
            for (var reservation : state.reservations()) {
                if (reservation.pod().vmName().equals(vm)) {
                    var reserved = reservation.amounts().reserved();
                    most = most == null ? reserved : most.max(reserved);
                }
            }
        }
        return Optional.ofNullable(most);
    }

    /** Whether any node is incomplete since a loss. */
    boolean anyLost() {
        for (var node : world.api().nodes()) {
            if (!of(node.name).fullList().complete()) {
                return true;
            }
        }
        return false;
    }
}
