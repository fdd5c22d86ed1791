package io.sluice.launcher.cluster;

import io.sluice.shell.ClusterStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened to the cluster, the newest first, and no more than is shown. Safe from any thread. */
final class MembershipLog {
    private final Deque<ClusterStatus.Note> notes = new ArrayDeque<>();

    synchronized void add(String sentence) {
        notes.addFirst(new ClusterStatus.Note(Instant.now(), sentence));
        if (notes.size() > ClusterStatus.NOTES_MAX) {
            notes.removeLast();
        }
    }

    synchronized List<ClusterStatus.Note> newestFirst() {
        return List.copyOf(notes);
    }
}
