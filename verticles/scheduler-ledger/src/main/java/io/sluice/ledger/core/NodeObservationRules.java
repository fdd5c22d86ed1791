package io.sluice.ledger.core;

import io.sluice.devices.NodeDevices;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.ZoneRules;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** Observations of the node itself. */
final class NodeObservationRules {
    private NodeObservationRules() {}

    static CommandOutcome<ObservationReply> observed(
            NodeState state, NodeObserved observation, LedgerRules rules, Instant now) {
        if (isKnown(state, observation.version()) && !hasNewerZones(state, observation)) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var total = rules.total(observation.allocatable());
        var zones = ZoneRules.newest(state.size(), observation.devices().zones());
        var size = new NodeState.Size(
                Optional.of(observation.version()),
                total,
                rules.watermark(total),
                Optional.empty(),
                notReady(state, observation, now),
                observation.fixed().plus(observation.devices().totals()).plus(ZoneRules.totals(state.size(), zones)),
                observation.devices().with(zones));
        return CommandOutcome.of(looked(state.with(size), rules, now), ObservationReply.TAKEN);
    }

    private static Optional<NodeState.NotReady> notReady(NodeState state, NodeObserved observation, Instant now) {
        if (observation.ready()) {
            return Optional.empty();
        }
        return state.size().notReady().or(() -> Optional.of(new NodeState.NotReady(now, false)));
    }

    /** Whether the node has not been ready for so long that no VM there is granted growth. */
    static boolean growthStopped(NodeState state, LedgerRules rules, Instant now) {
        return state.size()
                .notReady()
                .filter(it -> !now.isBefore(it.since().plus(rules.notReadyGrace())))
                .isPresent();
    }

    /** The same state, with whether growth is stopped now. */
    static NodeState looked(NodeState state, LedgerRules rules, Instant now) {
        boolean stopped = growthStopped(state, rules, now);
        return state.size()
                .notReady()
                .filter(it -> it.growthStopped() != stopped)
                .map(it -> state.with(state.size().with(Optional.of(new NodeState.NotReady(it.since(), stopped)))))
                .orElse(state);
    }

    /** A node that is gone has a total of zero. Its reservations stay until their pods end, so none ends too early. */
    static CommandOutcome<ObservationReply> gone(NodeState state, NodeGone observation, Instant now) {
        if (state.isBlank()) {
            return CommandOutcome.of(state, ObservationReply.DROPPED);
        }
        if (isKnown(state, observation.version())) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var size = new NodeState.Size(
                Optional.of(observation.version()),
                Resources.NONE,
                Resources.NONE,
                Optional.of(now),
                Optional.empty(),
                FixedAmounts.NONE,
                NodeDevices.NONE);
        return CommandOutcome.of(state.with(size), ObservationReply.TAKEN);
    }

    /** The same state, with the watermark of the present rules. */
    static NodeState reweighed(NodeState state, LedgerRules rules) {
        var size = state.size();
        var watermark = rules.watermark(size.total());
        return watermark.equals(size.watermark())
                ? state
                : state.with(new NodeState.Size(
                        size.version(),
                        size.total(),
                        watermark,
                        size.goneAt(),
                        size.notReady(),
                        size.fixed(),
                        size.devices()));
    }

    /** Zones have versions of their own. */
    private static boolean hasNewerZones(NodeState state, NodeObserved observation) {
        var known = state.size();
        return known.version().equals(Optional.of(observation.version()))
                && observation.devices().zones().version()
                        > known.devices().zones().version();
    }

    private static boolean isKnown(NodeState state, long version) {
        return state.size().version().filter(known -> known >= version).isPresent();
    }
}
