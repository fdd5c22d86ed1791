package io.sluice.launcher.core;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Optional;

/** Decisions for tests. */
final class Decisions {
    private static final VmId VM = new VmId("neonvm", "default", "orders-db", "u1");
    private static final Resources SMALL = new Resources(500, 2L << 30);
    private static final Resources LARGE = new Resources(1250, 5L << 30);

    private Decisions() {}

    static Decision scaledUp(Duration reaction) {
        return decision(Decision.Kind.SCALED_UP, Optional.of(reaction), "goal 5 CU: cpu needs 4.90");
    }

    static PressureDecision moving(PressureDecision.Kind kind) {
        return new PressureDecision(kind, "node-c", Optional.of(VM), "node-b", Optional.empty(), "least loaded");
    }

    static PlacementDecision placing(PlacementDecision.Kind kind) {
        return new PlacementDecision(kind, "u2", "default", "analytics-0", "node-a", "");
    }

    static Decision decision(Decision.Kind kind, Optional<Duration> reaction, String reason) {
        return new Decision(kind, VM, "node-a", SMALL, LARGE, reaction, GoalBasis.NONE, reason, 1);
    }
}
