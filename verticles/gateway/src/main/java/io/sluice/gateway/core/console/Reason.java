package io.sluice.gateway.core.console;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that was decided or was so, and why.
 *
 * @param at when it was decided, or since when it was so
 * @param until how long it was so; empty for a decision, and for what still is so
 * @param kind what: a decision's kind, or what a VM waited for, or how a node stood
 * @param vm which VM, as {@code namespace/name}; empty where it is about a node alone
 * @param node which node; empty where none is known
 * @param toNode the node that a VM was to go to; empty for all else
 * @param from the size before; empty where it is not about a size
 * @param to the size after, or what was asked for
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

    /** How a VM stood until now, or still stands. */
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

    /** Whether it was so at that time, as far as that has an end. */
    boolean held(Instant time) {
        return !at.isAfter(time) && until.filter(end -> end.isAfter(time)).isPresent();
    }
}
