package io.sluice.simulation.model;

import io.sluice.ledger.core.Books;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.Member;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.TrustLastPermit;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The ledger: the real core over books in memory, which can be lost. */
public final class LedgerPart {
    static final Duration PERMIT_VALID_FOR = Duration.ofSeconds(10);
    private static final long TICK = Seconds.of(1);
    private static final long COALESCED = Seconds.ofMillis(100);

    private final World world;
    private final Clock clock;
    private final NodeLedger ledger;
    private final Link toPressure;
    private final Map<String, NodeState> books = new LinkedHashMap<>();
    private final Set<String> announced = new HashSet<>();
    private final Set<String> loaded = new HashSet<>();
    private final Set<String> covered = new HashSet<>();
    private final Map<String, Long> lostAt = new HashMap<>();
    private final Map<String, Long> lostTime = new HashMap<>();
    private final Map<String, String> told = new HashMap<>();
    private final Map<String, Long> missed = new HashMap<>();
    private final Set<LedgerCommand.Hold> holds = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> released = new HashSet<>();
    private final Set<String> heldLate = new HashSet<>();

    LedgerPart(World world, double watermark) {
        this.world = world;
        this.clock = world.clock("ledger");
        this.toPressure = world.bus().link("ledger -> pressure");
        this.ledger = new NodeLedger(
                new LedgerRules(PERMIT_VALID_FOR, watermark, Portions.NOTHING, TrustLastPermit.RECOVERY, false));
        world.time().in(TICK, this::tick);
    }

    <A> A run(String node, LedgerCommand<A> command) {
        var before = of(node);
        var outcome = ledger.apply(before, command, clock.now());
        var after = outcome.state();
        note(node, before, command);
        count(command, outcome.reply(), outcome.notices());
        if (before != after) {
            books.put(node, after);
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

    private void note(String node, NodeState before, LedgerCommand<?> command) {
        if (command instanceof LedgerCommand.Load(var listing)) {
            loaded.add(node);
            if (before.listing().complete()
                    && listing.version() < before.listing().version()) {
                return;
            }
            if (listing.version() >= lostAt.getOrDefault(node, 0L)) {
                covered.add(node);
            }
            listing.pods().forEach(pod -> {
                told.put(pod.uid(), node);
                missed.computeIfPresent(pod.uid(), (uid, at) -> listing.version() < at ? at : null);
            });
        } else if (command instanceof LedgerCommand.SeePod(var pod)) {
            told.put(pod.uid(), node);
        } else if (command instanceof LedgerCommand.Release(var holder)) {
            released.add(holder);
        } else if (command instanceof LedgerCommand.Hold hold) {
            var holder = hold.booking().who().id();
            if (!holds.add(hold) || released.contains(holder)) {
                heldLate.add(holder);
            }
        }
    }

    /** Whether a question for that hold was heard twice, or after one to release it: it then ends by itself. */
    boolean heldLate(String holder) {
        return heldLate.contains(holder);
    }

    private void count(LedgerCommand<?> command, Object reply, List<LedgerNotice> notices) {
        if (reply instanceof PermitReply.Ruled ruled && command instanceof LedgerCommand.Ask ask) {
            world.tally().ruled(ask.question().target().exceeds(ruled.permit()));
        }
        for (var notice : notices) {
            if (notice instanceof LedgerNotice.NodeCompleted) {
                world.tally().loaded();
            }
        }
    }

    private void tick() {
        for (var node : List.copyOf(books.keySet())) {
            run(node, new LedgerCommand.Tick());
        }
        world.time().in(TICK, this::tick);
    }

    private void announce(String node) {
        if (announced.add(node)) {
            world.time().in(COALESCED, () -> {
                announced.remove(node);
                var summary = Books.summary(of(node), 0);
                world.bus().tell(toPressure, () -> world.pressure().heard(summary));
            });
        }
    }

    Snapshot snapshot(String node) {
        var asked = node.isEmpty() ? books.values() : List.of(of(node));
        return new Snapshot(asked.stream()
                .filter(state -> !state.isBlank())
                .map(state -> Books.full(state, 0))
                .toList());
    }

    /** The memory of these nodes is gone. */
    void lose(Collection<String> nodes) {
        nodes.forEach(node -> {
            books.remove(node);
            loaded.remove(node);
            covered.remove(node);
            lostAt.put(node, world.api().version());
            lostTime.put(node, world.time().now());
            told.values().removeIf(node::equals);
        });
    }

    /** The process ends and another takes its place, whose clock may show another time. */
    void crash() {
        lose(List.copyOf(books.keySet()));
        clock.reset();
    }

    Collection<String> nodes() {
        return List.copyOf(books.keySet());
    }

    /** The books of a node. */
    public NodeState of(String node) {
        return books.getOrDefault(node, NodeState.blank(node));
    }

    /** Whether a listing came since the books of the node were lost: known here, whatever the books themselves say. */
    public boolean loaded(String node) {
        return loaded.contains(node);
    }

    /** A fact about that pod was lost on its way here. */
    void missed(String pod) {
        missed.put(pod, world.api().version());
    }

    /** Whether a fact about that pod was lost, and no listing that began after that has come. */
    boolean missedOf(String pod) {
        return missed.containsKey(pod);
    }

    /** Whether books of the node were lost since then. */
    boolean lostSince(String node, long then) {
        return lostTime.getOrDefault(node, 0L) >= then;
    }

    /** Whether all that ran there when the books were lost was listed since. */
    boolean covers(String node) {
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
    public Optional<Member> member(String node, String pod) {
        return of(node).members().find(pod);
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
            if (!covered.contains(node.name)) {
                return true;
            }
        }
        return false;
    }
}
