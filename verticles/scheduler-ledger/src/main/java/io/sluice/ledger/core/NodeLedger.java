package io.sluice.ledger.core;

import java.time.Instant;
import java.util.Objects;

/**
 * Runs commands on the books of a node. Holds no books itself: the same state, command, instant and incarnation give
 * the same outcome, wherever it runs.
 *
 * <p>{@code now} need only be comparable with the instants of earlier commands on the same node. It should never go
 * back; if it does, what waits for time waits longer.
 */
public final class NodeLedger {
    private final LedgerRules rules;

    public NodeLedger(LedgerRules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** What the operator decided. */
    public LedgerRules rules() {
        return rules;
    }

    /**
     * The books after one command. A sum that would overflow is answered as such and leaves the books untouched.
     *
     * @param incarnation a number that was never used before, on this node or another; taken where a list is handed
     *     over and the node has none to reply with
     */
    public <A> CommandOutcome<A> apply(NodeState state, LedgerCommand<A> command, Instant now, long incarnation) {
        var named = command instanceof LedgerCommand.Load ? state.named(incarnation, now) : state;
        var outcome = counted(named, command, now);
        if (!rules.checkInvariants() || outcome.state() == state) {
            return outcome;
        }
        var breaks = Invariants.check(state, command, outcome, rules);
        return breaks.isEmpty()
                ? outcome
                : outcome.noting(new LedgerNotice.InvariantsBroken(command.toString(), breaks));
    }

    private <A> CommandOutcome<A> counted(NodeState state, LedgerCommand<A> command, Instant now) {
        try {
            return command.on(state, rules, now);
        } catch (ArithmeticException beyond) {
            return CommandOutcome.of(state, command.overflow(state))
                    .noting(new LedgerNotice.BeyondCounting(command.toString()));
        }
    }
}
