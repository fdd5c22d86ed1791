package io.sluice.messages.cluster;

import java.util.Objects;

/** A change of an object that scheduling reads, or the beginning or end of a full list of all of them. */
public sealed interface SchedulingChange {
    /** What an object is. */
    enum Kind {
        POD,
        NODE,
        NAMESPACE,
        VOLUME_CLAIM,
        VOLUME,
        /** The CSI drivers on a node. */
        DRIVERS,
        /** An attachment of a volume to a node. */
        ATTACHMENT,
        /** How many of some pods may be evicted; published only where pods may be evicted. */
        DISRUPTION_BUDGET,
        STORAGE_CLASS,
        /** The object of a gang; published only where gangs are placed. */
        POD_GROUP
    }

    /**
     * An object was created or changed, or is on a full list.
     *
     * @param key names it among its kind
     * @param version of the object
     * @param list the number of the full list; 0 if it changed
     * @param fields those that scheduling reads, as JSON
     */
    record Observed(Kind kind, String key, long version, long list, String fields) implements SchedulingChange {
        public Observed {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(fields, "fields");
        }
    }

    /** An object was deleted, or is a pod that has ended. */
    record Gone(Kind kind, String key, long version) implements SchedulingChange {
        public Gone {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(key, "key");
        }
    }

    /** The objects of a full list follow. */
    record ListBegun(long list) implements SchedulingChange {}

    /**
     * All objects of a full list were published.
     *
     * @param objects their number
     */
    record Listed(long list, int objects) implements SchedulingChange {}
}
