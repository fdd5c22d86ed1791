package io.sluice.pressure.core.choice;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/** What other nodes have for somebody who would leave. */
public sealed interface RoomSearch {
    /**
     * A node takes it and stays below its watermark.
     *
     * @param node which
     * @param after what it would have reserved
     * @param watermark its watermark
     * @param passedOver one sentence for each node that could hold it too, and is closed to it
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
     * Those that could take it are closed to it.
     *
     * @param reasons one sentence for each of them: {@code n2 is cordoned}
     */
    record Closed(List<String> reasons) implements RoomSearch {
        public Closed {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * None does.
     *
     * @param node which comes closest
     * @param after what it would have reserved
     * @param watermark its watermark
     */
    record Short(String node, Resources after, Resources watermark) implements RoomSearch {
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
    record Nowhere() implements RoomSearch {}
}
