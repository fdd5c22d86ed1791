package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionFunction;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.LedgerUnavailableException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What a member needs to run commands: the rules, its clocks, and whether it may run commands at all. Commands find it
 * by the member that they run on. Safe from any thread.
 */
final class LedgerMemberContext implements SplitBrainProtectionFunction {
    private static final String KEY = "sluice.ledger";
    private static final UUID NO_MEMBER = new UUID(0, 0);

    private final LedgerMembers roll;
    private final MajorityCheck majority;
    private final Term term;
    private final Set<Safeguard> guards;
    private final LongSupplier nanoTime;
    private final InstantSource wall;

    /** Stamps and incarnations. They start at a random number, so that no other process draws the same. */
    private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong());

    private volatile NodeLedger ledger;
    private volatile LedgerStore.Watcher watcher = (after, notices) -> {};
    private volatile Optional<Replicas> replicas = Optional.empty();
    private volatile Optional<Cluster> cluster = Optional.empty();
    private volatile Set<Member> observed = Set.of();
    private volatile UUID self = NO_MEMBER;

    /**
     * Creates the context of a member that is not started yet.
     *
     * @param roll the data members and their configuration
     * @param wall the clock from which the time of a new node ledger starts; {@code nanoTime} measures it from there
     */
    LedgerMemberContext(
            LedgerRules rules, LedgerMembers roll, Set<Safeguard> guards, LongSupplier nanoTime, InstantSource wall) {
        this.ledger = new NodeLedger(rules);
        this.roll = roll;
        this.majority = new MajorityCheck(roll.size());
        this.term = new Term(roll.size(), majority);
        this.guards = Set.copyOf(guards);
        this.nanoTime = nanoTime;
        this.wall = wall;
    }

    static LedgerMemberContext of(HazelcastInstance member) {
        return (LedgerMemberContext) member.getUserContext().get(KEY);
    }

    void isOf(com.hazelcast.config.Config config) {
        config.getUserContext().put(KEY, this);
    }

    /** Commands may come from now on. */
    void keeps(HazelcastInstance member) {
        replicas = Optional.of(new Replicas(member));
        cluster = Optional.of(member.getCluster());
        look();
    }

    void watch(LedgerStore.Watcher only) {
        watcher = only;
    }

    void rule(LedgerRules rules) {
        ledger = new NodeLedger(rules);
    }

    /** Reads the present members; Hazelcast calls listeners later. */
    void look() {
        cluster.filter(here -> here.getMembers() != observed).ifPresent(this::observe);
    }

    /** Reads the members under the lock, so that no older list follows a newer one. */
    private synchronized void observe(Cluster here) {
        var members = here.getMembers();
        roll.observe(members);
        self = members.stream()
                .filter(Member::localMember)
                .map(Member::getUuid)
                .findFirst()
                .orElse(NO_MEMBER);
        term.observe(self, LedgerMembers.keeping(members));
        observed = members;
    }

    /** The other data members. */
    List<Member> others() {
        return roll.others();
    }

    /** The reply of this member to a probe. */
    ProbeReply answer(UUID requester, UUID itsStay) {
        look();
        return new ProbeReply(term.answer(requester, itsStay, nanos()));
    }

    /** @param stay of this member, when it sent the probe */
    void answered(UUID member, UUID stay, ProbeReply reply, long sentNanos) {
        look();
        term.answered(member, stay, reply.answer(), sentNanos, nanos());
    }

    /** Whether all data members take part in the term and confirm this member. */
    boolean isSettled() {
        return term.isSettled();
    }

    Term.Stay stay() {
        return term.stay();
    }

    long nanos() {
        return nanoTime.getAsLong();
    }

    /**
     * Hazelcast calls this once a second and at each change of its members, and uses the result until the next call.
     */
    @Override
    public boolean apply(Collection<Member> members) {
        return !guards.contains(Safeguard.PROTECTION) || majority.holds(roll.otherIds(), nanos());
    }

    /** Why no commands are run for any node now; empty when they are. */
    Optional<GrantRefusal> refusal() {
        look();
        if (guards.contains(Safeguard.AGREEMENT) && roll.disagreement().isPresent()) {
            return roll.disagreement();
        }
        var others = roll.otherIds();
        if (guards.contains(Safeguard.MAJORITY) && !majority.holds(others, nanos())) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.NO_MAJORITY,
                    (1 + majority.present(others, nanos())) + " of " + roll.size()
                            + " ledger processes replied in the last " + MajorityCheck.CONTACT_WITHIN.toSeconds()
                            + " s, " + majority.needed() + " are needed"));
        }
        if (guards.contains(Safeguard.TERM) && term.current().isEmpty()) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.NO_MAJORITY,
                    "no majority of the ledger processes has admitted this member to its term yet"));
        }
        return Optional.empty();
    }

    /** Why no commands are run for this node now; empty when they are. */
    Optional<GrantRefusal> refusal(String node) {
        var general = refusal();
        if (general.isPresent() || !guards.contains(Safeguard.COPIES)) {
            return general;
        }
        return replicas.map(table -> table.missing(node, majority.needed() - 1, this::confirms))
                .orElseGet(() -> Optional.of(
                        new GrantRefusal(GrantRefusal.Cause.NOT_OWNER, "this member does not keep ledger state yet")));
    }

    private boolean confirms(UUID member) {
        return !guards.contains(Safeguard.TERM) || term.confirms(member);
    }

    /**
     * Refuses a replica from another term than this member's, or from an owner that is not in the member list.
     *
     * @throws LedgerUnavailableException then the replica is not confirmed
     */
    void expect(ReplicaOrigin origin, String node) {
        look();
        if (guards.contains(Safeguard.TERM) && !term.accepts(origin.owner(), origin.term())) {
            throw LedgerUnavailableException.crowded("the replica of the ledger of node " + node
                    + " is not from this member's term, or its owner is not in the member list");
        }
    }

    /** The state, unless it is of another term than this member's: then it may be old and does not count. */
    Optional<StoredState> current(Optional<StoredState> kept) {
        var now = term.current();
        return guards.contains(Safeguard.TERM)
                ? kept.filter(state -> now.filter(state::isOf).isPresent())
                : kept;
    }

    /**
     * The result of commands.
     *
     * @param origin the member and term in which they ran
     * @param before the state that they ran on; empty where there was none, or none that counts
     * @param after the new state; empty where there is nothing to store
     * @param replies one for each command
     * @param matters whether replicas have to confirm before a reply is sent
     */
    record Ran(
            ReplicaOrigin origin,
            Optional<StoredState> before,
            Optional<StoredState> after,
            List<Object> replies,
            boolean matters) {}

    Ran run(String node, Optional<StoredState> kept, List<LedgerCommand<?>> commands) {
        long nanos = nanos();
        var origin = new ReplicaOrigin(self, term.current().orElse(NO_MEMBER));
        var before = current(kept);
        boolean lost = before.isEmpty() && kept.isPresent();
        var now = before.map(last -> last.now(this, nanos)).orElseGet(wall::instant);
        var first = before.map(StoredState::state).orElseGet(() -> NodeState.blank(node));
        var state = first;
        var replies = new ArrayList<Object>(commands.size());
        var notices = new ArrayList<LedgerNotice>();
        if (lost) {
            notices.add(
                    new LedgerNotice.StateGone(kept.get().state().reservations().size()));
        }
        boolean answers = false;
        for (var command : commands) {
            var outcome = ledger.apply(state, command, now, numbers.incrementAndGet());
            state = outcome.state();
            replies.add(outcome.reply());
            notices.addAll(outcome.notices());
            answers |= command.isAnswered();
        }
        watcher.ran(state, notices);
        boolean changed = state != first;
        return new Ran(
                origin,
                before,
                after(state, before.filter(same -> !changed), origin, now, nanos),
                replies,
                lost || changed || answers && guards.contains(Safeguard.UNCHANGED_TOO));
    }

    private Optional<StoredState> after(
            NodeState state, Optional<StoredState> same, ReplicaOrigin origin, Instant now, long nanos) {
        if (state.isBlank()) {
            return Optional.empty();
        }
        long stamp = same.map(StoredState::stamp).orElseGet(numbers::incrementAndGet);
        return Optional.of(
                new StoredState(state, stamp, now, origin.term(), Optional.of(new StoredState.Measured(this, nanos)))
                        .heldIn(stay()));
    }
}
