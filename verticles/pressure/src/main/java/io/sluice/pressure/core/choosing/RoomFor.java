package io.sluice.pressure.core.choosing;

import io.sluice.units.Resources;
import java.util.Objects;

/** What other nodes have for somebody who would leave. */
public sealed interface RoomFor {
    /**
     * A node takes it and stays below its watermark.
     *
     * @param node which
     * @param after what it would have reserved
     * @param watermark its watermark
     */
    record Fits(String node, Resources after, Resources watermark) implements RoomFor {
        public Fits {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(watermark, "watermark");
        }
    }

    /**
     * None does.
     *
     * @param node which comes closest
     * @param after what it would have reserved
     * @param watermark its watermark
     */
    record Short(String node, Resources after, Resources watermark) implements RoomFor {
        public Short {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(watermark, "watermark");
        }

        /** By how much it would stand above its watermark. */
        public Resources by() {
            return after.minus(watermark);
        }
    }

    /** There is no other node whose books are complete. */
    record Nowhere() implements RoomFor {}
}
