package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionFunction;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.store.LedgerStore;
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
final class Keeper implements SplitBrainProtectionFunction {
    private static final String KEY = "sluice.ledger";

    private final Roll roll;
    private final Majority majority;
    private final Set<Guard> guards;
    private final LongSupplier nanoTime;
    private final InstantSource wall;
    private final AtomicLong stamps = new AtomicLong(new SecureRandom().nextLong());
    private volatile NodeLedger ledger;
    private volatile LedgerStore.Watcher watcher = (after, notices) -> {};
    private volatile Optional<Replicas> replicas = Optional.empty();

    /**
     * @param roll what the members were told
     * @param wall where the time of a node's books begins; it goes on by {@code nanoTime} from there
     */
    Keeper(LedgerRules rules, Roll roll, Set<Guard> guards, LongSupplier nanoTime, InstantSource wall) {
        this.ledger = new NodeLedger(rules);
        this.roll = roll;
        this.majority = new Majority(roll.size());
        this.guards = Set.copyOf(guards);
        this.nanoTime = nanoTime;
        this.wall = wall;
    }

    static Keeper of(HazelcastInstance member) {
        return (Keeper) member.getUserContext().get(KEY);
    }

    void isOf(com.hazelcast.config.Config config) {
        config.getUserContext().put(KEY, this);
    }

    /** From now on commands may come. */
    void keeps(HazelcastInstance member) {
        replicas = Optional.of(new Replicas(member));
    }

    void watch(LedgerStore.Watcher only) {
        watcher = only;
    }

    void rule(LedgerRules rules) {
        ledger = new NodeLedger(rules);
    }

    /** These are the members now. */
    void see(Collection<Member> members) {
        roll.see(members);
        majority.forgetAllBut(roll.otherIds());
    }

    /** The others that keep books. */
    List<Member> others() {
        return roll.others();
    }

    void heard(UUID member, long sentNanos) {
        majority.heard(member, sentNanos);
    }

    long nanos() {
        return nanoTime.getAsLong();
    }

    /** Asked by Hazelcast once a second and at each change of its members; it keeps the answer until the next time. */
    @Override
    public boolean apply(Collection<Member> members) {
        return !guards.contains(Guard.PROTECTION) || majority.holds(roll.otherIds(), nanos());
    }

    /** Why no commands are run for any node now; empty when they are. */
    Optional<Refusal> refusal() {
        if (guards.contains(Guard.AGREEMENT) && roll.disagreement().isPresent()) {
            return roll.disagreement();
        }
        var others = roll.otherIds();
        if (guards.contains(Guard.MAJORITY) && !majority.holds(others, nanos())) {
            return Optional.of(new Refusal(
                    Refusal.Cause.NO_MAJORITY,
                    (1 + majority.present(others, nanos())) + " of " + roll.size() + " ledgers were heard in the last "
                            + Majority.HEARD_WITHIN.toSeconds() + " s, " + majority.needed() + " are needed"));
        }
        return Optional.empty();
    }

    /** Why no commands are run for this node now; empty when they are. */
    Optional<Refusal> refusal(String node) {
        var general = refusal();
        if (general.isPresent() || !guards.contains(Guard.COPIES)) {
            return general;
        }
        return replicas.map(table -> table.missing(node, majority.needed() - 1))
                .orElseGet(
                        () -> Optional.of(new Refusal(Refusal.Cause.NOT_OWNER, "this member does not keep books yet")));
    }

    /**
     * What commands came to.
     *
     * @param after the books; empty where there is nothing to keep
     * @param replies one to each command
     * @param matters whether copies are to be made before anybody is answered
     */
    record Ran(Optional<KeptState> after, List<Object> replies, boolean matters) {}

    Ran run(String node, Optional<KeptState> before, List<LedgerCommand<?>> commands) {
        long nanos = nanos();
        var now = before.map(kept -> kept.now(this, nanos)).orElseGet(wall::instant);
        var first = before.map(KeptState::state).orElseGet(() -> NodeState.blank(node));
        var state = first;
        var replies = new ArrayList<Object>(commands.size());
        var notices = new ArrayList<LedgerNotice>();
        boolean answers = false;
        for (var command : commands) {
            var outcome = ledger.apply(state, command, now);
            state = outcome.state();
            replies.add(outcome.reply());
            notices.addAll(outcome.notices());
            answers |= command.isAnswered();
        }
        watcher.ran(state, notices);
        boolean changed = state != first;
        return new Ran(
                after(state, before.filter(kept -> !changed), now, nanos),
                replies,
                changed || answers && guards.contains(Guard.UNCHANGED_TOO));
    }

    private Optional<KeptState> after(NodeState state, Optional<KeptState> same, Instant now, long nanos) {
        if (state.isBlank()) {
            return Optional.empty();
        }
        long stamp = same.map(KeptState::stamp).orElseGet(stamps::incrementAndGet);
        return Optional.of(new KeptState(state, stamp, now, Optional.of(new KeptState.Measured(this, nanos))));
    }
}
