package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.gateway.core.console.fleet.DecisionView;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * One entry of a history: a decision, or a state that lasted for a time, and its cause.
 *
 * @param at when it was decided, or when the state began
 * @param until when the state ended; empty for a decision, and for a state that continues
 * @param kind a decision's kind, or what a VM waited for, or a node's state
 * @param vm which VM, as {@code namespace/name}; empty if it is about a node alone
 * @param node which node; empty if none is known
 * @param toNode the node that a VM was to go to; empty for all else
 * @param from the size before; empty if it is not about a size
 * @param to the size after, or what was requested
 * @param text in words, with the numbers
 */
public record Reason(
        Instant at,
        Optional<Instant> until,
        String kind,
        String vm,
        String node,
        String toNode,
        Optional<Resources> from,
        Optional<Resources> to,
        String text) {
    static Reason of(DecisionView decision) {
        return new Reason(
                decision.at(),
                Optional.empty(),
                decision.kind(),
                decision.vm(),
                decision.node(),
                decision.toNode(),
                decision.from(),
                decision.to(),
                decision.reason());
    }

    /** Returns a VM's state as an entry that ended, or that continues. */
    static Reason of(VmStatus vm, Optional<Instant> until, String text) {
        return new Reason(
                vm.since(),
                until,
                vm.waiting().name(),
                vm.key(),
                vm.node(),
                "",
                Optional.of(vm.size()),
                vm.status().flatMap(status -> status.goal()),
                AmountText.cut(text));
    }

    /** Returns whether this state lasted at that time, if it has an end. */
    boolean held(Instant time) {
        return !at.isAfter(time) && until.filter(end -> end.isAfter(time)).isPresent();
    }
}
