package io.sluice.pressure.core.choice;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/** The result of a search for room on other nodes. */
public sealed interface RoomSearch {
    /**
     * A node has room and stays below its watermark.
     *
     * @param node the node
     * @param after what it would have reserved
     * @param watermark its watermark
     * @param passedOver one sentence for each node that has CPU and memory too and is closed
     */
    record Fits(String node, Resources after, Resources watermark, List<String> passedOver) implements RoomSearch {
        public Fits {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(watermark, "watermark");
            passedOver = List.copyOf(passedOver);
        }
    }

    /**
     * All nodes that have CPU and memory for it are closed.
     *
     * @param reasons one sentence for each of them: {@code n2 is cordoned}
     */
    record Closed(List<String> reasons) implements RoomSearch {
        public Closed {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * No node has room.
     *
     * @param node the node that comes closest
     * @param after what it would have reserved
     * @param watermark its watermark
     */
    record Short(String node, Resources after, Resources watermark) implements RoomSearch {
        public Short {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(watermark, "watermark");
        }

        /** By how much it would be above its watermark. */
        public Resources by() {
            return after.minus(watermark);
        }
    }

    /** The ledger of no other node is complete. */
    record Nowhere() implements RoomSearch {}
}
