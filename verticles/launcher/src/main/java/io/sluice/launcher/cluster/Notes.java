package io.sluice.launcher.cluster;

import io.sluice.shell.ClusterSight;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened to the cluster, the newest first, and no more than is shown. Safe from any thread. */
final class Notes {
    private final Deque<ClusterSight.Note> notes = new ArrayDeque<>();

    synchronized void add(String sentence) {
        notes.addFirst(new ClusterSight.Note(Instant.now(), sentence));
        if (notes.size() > ClusterSight.NOTES_MAX) {
            notes.removeLast();
        }
    }

    synchronized List<ClusterSight.Note> newestFirst() {
        return List.copyOf(notes);
    }
}
