package io.sluice.shell;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Other processes as a test sets them, where several run in one JVM. Two instances with different members model two
 * processes with different views.
 */
public final class FakePeers implements Peers {
    private final Peer self;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private volatile List<Peer> all;

    /** A process without others yet. */
    public FakePeers(String id, String... roles) {
        self = new Peer(id, Set.of(roles), id);
        all = List.of(self);
    }

    /** Sets the other processes, the oldest first. */
    public void observes(Peer... others) {
        all = Stream.concat(Stream.of(self), Stream.of(others))
                .sorted(Comparator.comparing(Peer::id))
                .toList();
        watchers.forEach(Runnable::run);
    }

    @Override
    public Peer self() {
        return self;
    }

    @Override
    public List<Peer> all() {
        return all;
    }

    @Override
    public List<Peer> oldestFirst() {
        return all;
    }

    @Override
    public Watching watch(Runnable changed) {
        watchers.add(changed);
        return () -> watchers.remove(changed);
    }
}
