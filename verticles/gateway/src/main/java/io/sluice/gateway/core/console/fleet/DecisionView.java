package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Optional;

/**
 * A decision on a VM's size or node, of an agent, the ledger or the pressure role.
 *
 * @param at when it was received
 * @param kind the name that the deciding component gives it
 * @param vm which VM, as {@code namespace/name}; empty if none was found
 * @param node where it runs, or the node that it was to leave
 * @param toNode the node that it was to go to; empty for any other decision
 * @param from its size before; empty for a decision on its node
 * @param to its size after, or what was requested; empty for a decision on its node
 * @param reason in words
 */
public record DecisionView(
        Instant at,
        String kind,
        String vm,
        String node,
        String toNode,
        Optional<Resources> from,
        Optional<Resources> to,
        String reason) {
    public static DecisionView of(Decision decision, Instant now) {
        return new DecisionView(
                now,
                decision.kind().name(),
                decision.vm().label(),
                decision.node(),
                "",
                Optional.of(decision.from()),
                Optional.of(decision.to()),
                AmountText.cut(decision.reason()));
    }

    public static DecisionView of(PressureDecision decision, Instant now) {
        return new DecisionView(
                now,
                decision.kind().name(),
                decision.vm().map(VmId::label).orElse(""),
                decision.node(),
                decision.to(),
                Optional.empty(),
                Optional.empty(),
                AmountText.cut(decision.reason()));
    }
}
