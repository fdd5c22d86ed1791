package io.sluice.launcher.cluster;

import io.sluice.shell.ClusterStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened to the Hazelcast cluster, the newest first, up to a limit. Safe from any thread. */
final class MembershipLog {
    private final Deque<ClusterStatus.Entry> entries = new ArrayDeque<>();

    synchronized void add(String sentence) {
        entries.addFirst(new ClusterStatus.Entry(Instant.now(), sentence));
        if (entries.size() > ClusterStatus.ENTRIES_MAX) {
            entries.removeLast();
        }
    }

    synchronized List<ClusterStatus.Entry> newestFirst() {
        return List.copyOf(entries);
    }
}
