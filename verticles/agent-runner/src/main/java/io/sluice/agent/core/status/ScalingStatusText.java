package io.sluice.agent.core.status;

import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.Demand;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Sentences about what a VM waits for. */
public final class ScalingStatusText {
    private static final double MILLIS = 1_000;

    private ScalingStatusText() {}

    /** When something is tried again, as the end of a sentence. */
    public static String again(Instant until, Instant now) {
        return now.isBefore(until) ? "; again in " + seconds(Duration.between(now, until)) : "; tried again";
    }

    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / MILLIS);
    }

    public static String notReady(NotReadyCause cause, String node) {
        return switch (cause) {
            case NODE_INCOMPLETE -> "the ledger has no full list of node " + node + " yet";
            case NODE_UNKNOWN -> "the ledger has not observed node " + node + " yet";
        };
    }

    static String requested(CoreDetail.Requested request, String node) {
        return "requested " + text(request.resources()) + " on node " + node;
    }

    static String beyondMax(Demand demand, Resources max) {
        return "its load asks for " + text(demand.unbounded()) + " by kind, and its maximum is " + text(max);
    }

    static String lapsed(Resources permit, Instant lapsedAt, Instant now) {
        return "the permit for " + text(permit) + " lapsed " + seconds(Duration.between(lapsedAt, now))
                + " ago, before the VM grew; it is requested again";
    }

    /** Without the duration: while the wait is no cause for concern, the receiver counts it from its beginning. */
    static String unshown(LastReplies.Unshown unshown, CoreDetail detail) {
        var shows = detail.vm().status().map(ScalingStatusText::text).orElse("no size");
        return "patched to " + text(unshown.sent()) + ", its status shows " + shows;
    }

    static String stuck(LastReplies.Unshown unshown, CoreDetail detail, Instant now) {
        return unshown(unshown, detail) + ", for " + seconds(Duration.between(unshown.since(), now));
    }

    static String text(Resources amount) {
        return Quantities.text(amount);
    }
}
