package io.sluice.lab.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The latest writes, from which a broken watch continues, and the watches that receive each new one. */
final class VersionHistory {
    private final int writesMax;
    private final Deque<Write> writes = new ArrayDeque<>();
    private final Set<Watch> watches = new LinkedHashSet<>();
    private long forgotten;

    VersionHistory(long firstVersion, int writesMax) {
        this.forgotten = firstVersion;
        this.writesMax = writesMax;
    }

    /**
     * One write.
     *
     * @param before the object before it; empty if it was created
     * @param object the object after it, or its last state
     * @param deleted whether it is gone now
     */
    record Write(ResourceType type, long version, Optional<ObjectNode> before, ObjectNode object, boolean deleted) {}

    /** The oldest version from which a watch can continue. */
    long oldest() {
        return forgotten;
    }

    void add(Write write) {
        writes.add(write);
        if (writes.size() > writesMax) {
            forgotten = writes.remove().version();
        }
        // A copy, since a watch that cannot keep up ends itself.
        List.copyOf(watches).forEach(watch -> watch.send(write));
    }

    boolean replay(Watch watch, long from) {
        if (from < forgotten) {
            return false;
        }
        writes.stream().filter(write -> write.version() > from).forEach(watch::send);
        follow(watch);
        return true;
    }

    void follow(Watch watch) {
        watches.add(watch);
    }

    void unfollow(Watch watch) {
        watches.remove(watch);
    }
}
