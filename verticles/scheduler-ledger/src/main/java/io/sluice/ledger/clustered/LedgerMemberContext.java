package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionFunction;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
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
 * What a member needs to keep books: the rules, its clocks, and whether it may run commands at all. Commands find it by
 * the member that they run on. Safe from any thread.
 */
final class LedgerMemberContext implements SplitBrainProtectionFunction {
    private static final String KEY = "sluice.ledger";
    private static final UUID NOBODY = new UUID(0, 0);

    private final LedgerMembers roll;
    private final MajorityCheck majority;
    private final Term term;
    private final Set<Safeguard> guards;
    private final LongSupplier nanoTime;
    private final InstantSource wall;

    /** Stamps and incarnations: from a random one on, so that no other process ever has the same. */
    private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong());

    private volatile NodeLedger ledger;
    private volatile LedgerStore.Watcher watcher = (after, notices) -> {};
    private volatile Optional<Replicas> replicas = Optional.empty();
    private volatile Optional<Cluster> cluster = Optional.empty();
    private volatile Set<Member> seen = Set.of();
    private volatile UUID self = NOBODY;

    /**
     * @param roll what the members were told
     * @param wall where the time of a node's books begins; it goes on by {@code nanoTime} from there
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

    /** From now on commands may come. */
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

    /** Looks at who the members are now: a listener hears of it later. */
    void look() {
        cluster.filter(here -> here.getMembers() != seen).ifPresent(this::see);
    }

    /** Reads the members under the lock: no older list comes after a newer one. */
    private synchronized void see(Cluster here) {
        var members = here.getMembers();
        roll.see(members);
        self = members.stream()
                .filter(Member::localMember)
                .map(Member::getUuid)
                .findFirst()
                .orElse(NOBODY);
        term.see(self, LedgerMembers.keeping(members));
        seen = members;
    }

    /** The others that keep books. */
    List<Member> others() {
        return roll.others();
    }

    /** What this member answers to one that asks for its ticket. */
    ProbeReply answer(UUID asker, UUID itsStay) {
        look();
        return new ProbeReply(term.answer(asker, itsStay, nanos()));
    }

    /** @param stay of this member, when it asked */
    void answered(UUID member, UUID stay, ProbeReply reply, long sentNanos) {
        look();
        term.answered(member, stay, reply.answer(), sentNanos, nanos());
    }

    /** Whether there is nothing to be found out about who takes part in the term. */
    boolean isSettled() {
        return term.isSettled();
    }

    Term.Stay stay() {
        return term.stay();
    }

    long nanos() {
        return nanoTime.getAsLong();
    }

    /** Asked by Hazelcast once a second and at each change of its members; it keeps the answer until the next time. */
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
                    (1 + majority.present(others, nanos())) + " of " + roll.size() + " ledgers were heard in the last "
                            + MajorityCheck.HEARD_WITHIN.toSeconds() + " s, " + majority.needed() + " are needed"));
        }
        if (guards.contains(Safeguard.TERM) && term.current().isEmpty()) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.NO_MAJORITY,
                    "no majority of the ledgers has admitted this member to its term yet"));
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
                        new GrantRefusal(GrantRefusal.Cause.NOT_OWNER, "this member does not keep books yet")));
    }

    private boolean confirms(UUID member) {
        return !guards.contains(Safeguard.TERM) || term.confirms(member);
    }

    /**
     * Refuses a copy of what was run in another term than this member's, or by who is no member any more.
     *
     * @throws LedgerUnavailableException then the copy is not confirmed
     */
    void expect(ReplicaOrigin origin, String node) {
        look();
        if (guards.contains(Safeguard.TERM) && !term.accepts(origin.owner(), origin.term())) {
            throw LedgerUnavailableException.crowded(
                    "the copy of the state of node " + node + " is not of this member's term, or of no member's");
        }
    }

    /** The state, unless it is of another term than this member's: then it may be old, and is lost. */
    Optional<StoredState> current(Optional<StoredState> kept) {
        var now = term.current();
        return guards.contains(Safeguard.TERM)
                ? kept.filter(state -> now.filter(state::isOf).isPresent())
                : kept;
    }

    /**
     * What commands came to.
     *
     * @param origin where it was
     * @param before what they were run on; empty where there was nothing, or nothing that counts
     * @param after the books; empty where there is nothing to keep
     * @param replies one to each command
     * @param matters whether copies are to be made before anybody is answered
     */
    record Ran(
            ReplicaOrigin origin,
            Optional<StoredState> before,
            Optional<StoredState> after,
            List<Object> replies,
            boolean matters) {}

    Ran run(String node, Optional<StoredState> kept, List<LedgerCommand<?>> commands) {
        long nanos = nanos();
        var origin = new ReplicaOrigin(self, term.current().orElse(NOBODY));
        var before = current(kept);
        boolean lost = before.isEmpty() && kept.isPresent();
        var now = before.map(last -> last.now(this, nanos)).orElseGet(wall::instant);
        var first = before.map(StoredState::state).orElseGet(() -> NodeState.blank(node));
        var state = first;
        var replies = new ArrayList<Object>(commands.size());
        var notices = new ArrayList<LedgerNotice>();
        if (lost) {
            notices.add(new LedgerNotice.StateGone(kept.get().state().members().size()));
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
