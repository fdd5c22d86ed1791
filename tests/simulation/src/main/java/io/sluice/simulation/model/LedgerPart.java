package io.sluice.simulation.model;

import io.sluice.ledger.clustered.LedgerProcesses;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.LedgerView;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.RelistRequests;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.Portions;
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
 * The ledger: the real core over books in memory, which can be lost; in a third of the histories of three processes.
 */
public final class LedgerPart {
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(10);
    private static final long TICK = Seconds.of(1);
    private static final long ASKED_AND_LISTED = Seconds.of(90);
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
    private final Map<String, NodeState> books = new LinkedHashMap<>();
    private final Set<String> announced = new HashSet<>();
    private final Set<String> covered = new HashSet<>();
    private final Map<String, Long> lostAt = new HashMap<>();
    private final Map<String, Long> lostTime = new HashMap<>();
    private final Map<String, String> told = new HashMap<>();
    private final Map<String, Long> missed = new HashMap<>();
    private final Map<String, Long> released = new HashMap<>();
    private final Map<String, Long> noticedAt = new HashMap<>();
    private final Set<String> heldLate = new HashSet<>();
    private final Map<String, NodeObserved> nodeFacts = new HashMap<>();
    private final Map<String, Instant> unreadySince = new HashMap<>();

    LedgerPart(World world, double watermark) {
        this.world = world;
        this.clock = world.clock("ledger");
        this.toPressure = world.bus().link("ledger -> pressure");
        this.toCluster = world.bus().link("ledger sums -> cluster");
        this.toInformers = world.bus().link("ledger -> informers");
        this.ledger = new NodeLedger(
                new LedgerRules(PERMIT_VALID_FOR, watermark, Portions.NOTHING, LastPermitTrust.RECOVERY, false));
        world.time().in(TICK, this::tick);
        var chance = world.faults().chance("ledgers");
        several = chance.oneIn(3) ? Optional.of(new LedgerFaults(world, chance)) : Optional.empty();
    }

    /** Nothing fails any more. */
    void quiet() {
        several.ifPresent(LedgerFaults::quiet);
    }

    /** Runs a command where that may be; where it may not, there is no reply. */
    <A> void serve(String node, LedgerCommand<A> command, Consumer<? super A> reply) {
        served(List.of(node), () -> reply.accept(run(node, command)));
    }

    /** Facts go to every process; one that stands still takes them later. */
    void observe(String node, LedgerCommand<?> fact) {
        Runnable work = () -> run(node, fact);
        boolean taken = several.isEmpty();
        if (taken) {
            work.run();
        }
        for (int place = 0; several.isPresent() && place < LedgerProcesses.SIZE; place++) {
            int asked = place;
            boolean waits = several.get().processes().waits(asked, () -> served(asked, List.of(node), work));
            taken = taken || !waits && served(asked, List.of(node), work);
        }
        if (!taken) {
            unserved(fact);
        }
    }

    /** Has that done, which runs commands on the node, as soon as they may be run. */
    void reach(String node, Runnable work) {
        served(List.of(node), work);
    }

    /** Does that on the newest state of these nodes, where a process has it with a majority behind it. */
    private void served(Collection<String> nodes, Runnable work) {
        if (several.isEmpty()) {
            work.run();
            return;
        }
        var processes = several.get().processes();
        int asked = processes.any();
        if (!processes.waits(asked, () -> served(asked, nodes, work))) {
            served(asked, nodes, work);
        }
    }

    private boolean served(int asked, Collection<String> nodes, Runnable work) {
        owner = several.orElseThrow().processes().owner(asked, world.time().now());
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
                        state -> books.put(node, state),
                        () -> lose(List.of(node).stream()
                                .filter(books::containsKey)
                                .toList()));
    }

    /** What could not be kept is asked for again. */
    private void unserved(LedgerCommand<?> command) {
        if (command instanceof LedgerCommand.SeePod(var pod)) {
            missed(pod.uid());
        }
        switch (command) {
            case LedgerCommand.SeeNode _, LedgerCommand.LoseNode _, LedgerCommand.LosePod _, LedgerCommand.SeeVm _ ->
                wanted.missing("what was observed");
            default -> {}
        }
    }

    <A> A run(String node, LedgerCommand<A> command) {
        var before = of(node);
        var outcome = ledger.apply(before, command, clock.now(), ++incarnation);
        var after = outcome.state();
        note(node, command, outcome.reply());
        count(command, outcome.reply(), outcome.notices());
        if (before != after) {
            books.put(node, after);
            owner.ifPresent(it -> it.keep(node, after));
            announce(node);
        }
        world.happened(new Happening.Commanded(node, before, command, outcome.reply(), after));
        if (world.journal().listens() && (before != after || !(command instanceof LedgerCommand.Tick))) {
            world.say("ledger " + node + " " + world.words(command) + " => " + world.words(outcome.reply())
                    + (before == after
                            ? ", unchanged"
                            : ", reserved " + World.text(after.sums().reserved())));
        }
        return outcome.reply();
    }

    private void note(NodeObserved fact) {
        var newest = nodeFacts.get(fact.node());
        if (newest == null || newest.version() < fact.version()) {
            nodeFacts.put(fact.node(), fact);
            if (fact.ready()) {
                unreadySince.remove(fact.node());
            } else {
                unreadySince.putIfAbsent(fact.node(), clock.now());
            }
        }
    }

    /** How long it was told that the node is not ready, by its own clock; empty where it is. */
    public Optional<Duration> unreadyFor(String node) {
        return Optional.ofNullable(unreadySince.get(node)).map(since -> Duration.between(since, clock.now()));
    }

    private void note(String node, LedgerCommand<?> command, Object reply) {
        if (command instanceof LedgerCommand.SeeNode(var fact)) {
            note(fact);
        } else if (command instanceof LedgerCommand.LoseNode) {
            unreadySince.remove(node);
        } else if (command instanceof LedgerCommand.Load(var listing)) {
            if (((LoadReply) reply).relist().isPresent()) {
                return;
            }
            note(listing.node());
            if (listing.version() >= lostAt.getOrDefault(node, 0L)) {
                covered.add(node);
            }
            listing.pods().forEach(pod -> {
                told.put(pod.uid(), node);
                missed.computeIfPresent(pod.uid(), (uid, at) -> listing.version() < at ? at : null);
            });
        } else if (command instanceof LedgerCommand.SeePod(var pod)) {
            told.put(pod.uid(), node);
        } else if (command instanceof LedgerCommand.SeeVm(var vm) && reply == ObservationReply.POD_MISSING) {
            wanted.missing("a VM without its pod");
            noticedAt.putIfAbsent(vm.pod(), world.time().now());
        } else if (reply instanceof PermitReply.NotReady || reply instanceof OpenReply.NotReady) {
            wanted.missing("the books of " + node);
        } else if (command instanceof LedgerCommand.Release(var _, var attempt)) {
            released.put(attempt, world.time().now());
        } else if (command instanceof LedgerCommand.Hold hold && isForgotten(node, hold.attempt())) {
            heldLate.add(hold.booking().who().id());
        }
    }

    /** Whether books that knew that the attempt was given up were lost since. */
    private boolean isForgotten(String node, String attempt) {
        return released.containsKey(attempt) && lostSince(node, released.get(attempt));
    }

    /** Whether room for that attempt was released, and the books of the node have known of it since. */
    public boolean knowsReleased(String node, String attempt) {
        return released.containsKey(attempt) && !isForgotten(node, attempt);
    }

    /** Whether a hold was heard after its release, which the books have lost: it then ends by itself. */
    boolean heldLate(String holder) {
        return heldLate.contains(holder);
    }

    private void count(LedgerCommand<?> command, Object reply, List<LedgerNotice> notices) {
        if (reply instanceof PermitReply.Ruled ruled && command instanceof LedgerCommand.RequestPermit ask) {
            world.tally().ruled(ask.question().target().exceeds(ruled.permit()));
        }
        for (var notice : notices) {
            if (notice instanceof LedgerNotice.NodeCompleted) {
                world.tally().loaded();
            }
        }
    }

    private void tick() {
        wanted.tick().ifPresent(missing -> wantList());
        for (var node : List.copyOf(books.keySet())) {
            serve(node, new LedgerCommand.Tick(), changes -> {});
        }
        world.time().in(TICK, this::tick);
    }

    private void wantList() {
        world.happened(new Happening.RelistWanted());
        world.bus().tell(toInformers, () -> world.cluster().listSooner());
    }

    private void announce(String node) {
        if (announced.add(node)) {
            world.time().in(COALESCED, () -> {
                announced.remove(node);
                var summary = LedgerView.summary(of(node), 0);
                world.bus().tell(toPressure, () -> world.pressure().heard(summary));
                world.bus().tell(toCluster, () -> world.cluster().loading().settle(node, summary.unsettled()));
            });
        }
    }

    void snapshot(String node, Consumer<Snapshot> reply) {
        served(node.isEmpty() ? List.copyOf(books.keySet()) : List.of(node), () -> reply.accept(snapshot(node)));
    }

    private Snapshot snapshot(String node) {
        var asked = node.isEmpty() ? books.values() : List.of(of(node));
        return new Snapshot(asked.stream()
                .filter(state -> !state.isBlank())
                .map(state -> LedgerView.full(state, 0))
                .toList());
    }

    /** The memory of these nodes is gone. */
    void lose(Collection<String> nodes) {
        nodes.forEach(node -> {
            books.remove(node);
            several.ifPresent(it -> it.processes().forget(node));
            nodeFacts.remove(node);
            unreadySince.remove(node);
            covered.remove(node);
            lostAt.put(node, world.api().version());
            lostTime.put(node, world.time().now());
            told.values().removeIf(node::equals);
        });
    }

    /** The process ends and another takes its place, whose clock may show another time. */
    void crash() {
        lose(List.copyOf(books.keySet()));
        wanted = new RelistRequests();
        noticedAt.clear();
        clock.reset();
        world.happened(new Happening.LedgerBegun());
    }

    Collection<String> nodes() {
        return List.copyOf(books.keySet());
    }

    /** The books of a node. */
    public NodeState of(String node) {
        return books.getOrDefault(node, NodeState.blank(node));
    }

    /** A fact about that pod was lost on its way here. */
    void missed(String pod) {
        missed.put(pod, world.api().version());
    }

    /**
     * Whether a fact about that pod was lost, and no listing that began after that has come: until its VM was observed
     * in it, and for so long after that as it may take to ask for a list and to get one.
     */
    boolean missedOf(String pod) {
        long noticed = noticedAt.getOrDefault(pod, Long.MAX_VALUE - ASKED_AND_LISTED);
        return missed.containsKey(pod) && world.time().now() < noticed + ASKED_AND_LISTED;
    }

    /** Whether books of the node were lost since then. */
    boolean lostSince(String node, long then) {
        return lostTime.getOrDefault(node, 0L) >= then;
    }

    /**
     * Whether a list was taken that was requested since the books of the node were lost: known here, whatever the books
     * themselves say.
     */
    public boolean covers(String node) {
        return covered.contains(node);
    }

    /** Whether it was told of that pod since the books of its node were lost. */
    boolean toldOf(String pod) {
        return told.containsKey(pod);
    }

    /** Whether the books would take that question as the newest of whoever speaks for its member. */
    public boolean hears(PermitRequest question) {
        return member(question.node(), question.member())
                .filter(member -> member.talk().session() == question.session()
                        && member.talk().runner().equals(question.runner()))
                .isPresent();
    }

    /** A member of a node. */
    public Optional<Reservation> member(String node, String pod) {
        return of(node).members().find(pod);
    }

    Optional<Reservation> member(ModelVmObject vm) {
        return member(vm.node(), vm.pod.orElseThrow().uid);
    }

    /** The most that any node has booked for a VM. */
    Optional<Resources> mostReservedFor(String vm) {
        Resources most = null;
        for (var state : books.values()) {
            for (var member : state.members()) {
                if (member.who().vmName().equals(vm)) {
                    var reserved = member.amounts().reserved();
                    most = most == null ? reserved : most.max(reserved);
                }
            }
        }
        return Optional.ofNullable(most);
    }

    /** Whether any books were lost and not loaded since. */
    boolean anyLost() {
        for (var node : world.api().nodes()) {
            if (!of(node.name).listing().complete()) {
                return true;
            }
        }
        return false;
    }
}
