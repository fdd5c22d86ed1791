package io.sluice.ledger.core;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.ZoneRules;
import java.time.Instant;
import java.util.Objects;

/**
 * Runs commands on the state of a node ledger. It keeps no state: the same state, command, instant and incarnation give
 * the same outcome in every process.
 *
 * <p>{@code now} has to be comparable with the instants of earlier commands on the same node only. It should never go
 * back; if it does, waits get longer.
 */
public final class NodeLedger {
    private final LedgerRules rules;

    public NodeLedger(LedgerRules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** The rules that commands run with. */
    public LedgerRules rules() {
        return rules;
    }

    /**
     * Runs one command. If a sum would overflow, the reply reports that and the state is unchanged.
     *
     * @param incarnation a number that was never used before, on this node or another; it is used if the command is a
     *     full list and the node has no incarnation yet
     */
    public <A> CommandOutcome<A> apply(NodeState state, LedgerCommand<A> command, Instant now, long incarnation) {
        var named = command instanceof LedgerCommand.Load ? state.named(incarnation, now) : state;
        var outcome = settled(named, counted(named, command, now));
        if (rules.checks() == InvariantChecks.NONE || outcome.state() == state && !isSampled(command)) {
            return outcome;
        }
        var breaks =
                Invariants.check(state, command, outcome, rules, rules.checks().isWhole(command));
        return breaks.isEmpty()
                ? outcome
                : outcome.noting(new LedgerNotice.InvariantsBroken(command.toString(), breaks));
    }

    private static <A> CommandOutcome<A> settled(NodeState before, CommandOutcome<A> outcome) {
        return outcome.at(ZoneRules.settled(before, outcome.state()));
    }

    /** A tick counts a node ledger again that nothing has changed. */
    private boolean isSampled(LedgerCommand<?> command) {
        return rules.checks() == InvariantChecks.CHANGES && command instanceof LedgerCommand.Tick;
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
