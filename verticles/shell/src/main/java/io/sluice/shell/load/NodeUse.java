package io.sluice.shell.load;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The VMs of a node whose use is known.
 *
 * @param charged what counts for them in the node's reservations
 * @param used what they use, or may use soon
 */
public record NodeUse(Resources charged, Resources used) {
    /** No VM's use is known. */
    public static final NodeUse NONE = new NodeUse(Resources.NONE, Resources.NONE);

    public NodeUse {
        Objects.requireNonNull(charged, "charged");
        Objects.requireNonNull(used, "used");
    }

    NodeUse plus(NodeUse other) {
        return new NodeUse(charged.plus(other.charged), used.plus(other.used));
    }

    /** What is in use on the node: whatever is reserved there counts as used, unless its use is known. */
    public Resources live(Resources reserved) {
        return reserved.minus(charged).plus(used);
    }
}
