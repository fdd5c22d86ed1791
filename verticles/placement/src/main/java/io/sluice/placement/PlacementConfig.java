package io.sluice.placement;

import io.sluice.placement.core.plugins.LiveLoad;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.shell.load.LoadPolicy;
import java.util.List;
import java.util.Objects;

/**
 * The section {@code placement} of the configuration: which of the nodes with room a pod should go to. By the policy
 * {@code reserved} a node's score rises in a line from {@code scoreAtEmpty} at nothing reserved to 1 at
 * {@code scorePeak}, and falls in a line to {@code scoreAtFull} at all reserved. All keys can change while running.
 *
 * @param policy by what nodes are scored: what is {@code reserved} on them, or what is in use on them now, to
 *     {@code pack} VMs or to {@code spread} them
 * @param scoreAtEmpty the score of an empty node, 0 to 1
 * @param scorePeak the reserved share with the best score, 0 to 1: 0 spreads pods, 1 packs them
 * @param scoreAtFull the score of a full node, 0 to 1
 */
public record PlacementConfig(LoadPolicy policy, double scoreAtEmpty, double scorePeak, double scoreAtFull) {
    /** The defaults, which are those of the reference's scheduler plugin. */
    public static final PlacementConfig DEFAULTS = new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0);

    public PlacementConfig {
        Objects.requireNonNull(policy, "placement.policy");
        requireShare("scoreAtEmpty", scoreAtEmpty);
        requireShare("scorePeak", scorePeak);
        requireShare("scoreAtFull", scoreAtFull);
    }

    /** The rules in the order in which they filter. */
    List<PlacementPlugin> plugins() {
        var score = policy.score()
                .<PlacementPlugin>map(LiveLoad::new)
                .orElseGet(() -> new ReservedShare(scoreAtEmpty, scorePeak, scoreAtFull));
        return List.of(new ReadyLedger(), new ReservedRoom(), score);
    }

    private static void requireShare(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("placement." + key + "=" + value + " must be between 0 and 1");
        }
    }
}
