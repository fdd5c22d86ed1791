package io.sluice.launcher.core;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Counts the decisions of a demo. */
public final class DecisionCounter {
    private static final double P50 = 0.5;
    private static final double P99 = 0.99;

    private final Map<Decision.Kind, Long> counts = new EnumMap<>(Decision.Kind.class);
    private final Reactions reactions = new Reactions();
    private final Set<String> waited = new HashSet<>();
    private long migrations;
    private long placed;
    private Optional<Duration> firstScaleUp = Optional.empty();

    /**
     * Counts one.
     *
     * @param sinceStart since the JVM's start
     */
    public void received(Decision decision, Duration sinceStart) {
        counts.merge(decision.kind(), (long) decision.count(), Long::sum);
        decision.reaction().ifPresent(reactions::add);
        if (decision.kind() == Decision.Kind.SCALED_UP && firstScaleUp.isEmpty()) {
            firstScaleUp = Optional.of(sinceStart);
        }
    }

    /** Counts a VM that was migrated; other pressure decisions are not counted. */
    public void received(PressureDecision decision) {
        if (decision.kind() == PressureDecision.Kind.MOVED) {
            migrations++;
        }
    }

    /** Counts a pod that was placed, and once a pod that waited for a node. */
    public void received(PlacementDecision decision) {
        switch (decision.kind()) {
            case PLACED -> placed++;
            case WAITS -> waited.add(decision.uid());
            case NOT_PLACED -> {}
        }
    }

    /** The counts, with the fleet's current use. */
    public Summary summary(FleetUse use) {
        return new Summary(
                count(Decision.Kind.SCALED_UP),
                count(Decision.Kind.SCALED_DOWN),
                count(Decision.Kind.DENIED),
                count(Decision.Kind.DOWNSCALE_DENIED),
                count(Decision.Kind.UPSCALE_REQUESTED),
                migrations,
                placed,
                waited.size(),
                firstScaleUp,
                reactions.percentileMs(P50),
                reactions.percentileMs(P99),
                use);
    }

    private long count(Decision.Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
