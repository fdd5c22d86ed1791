package io.sluice.shell;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * What one process sees of the others is what it is told here: for tests, where several are in one JVM. Two that are to
 * see different members are told different ones.
 */
public final class FakePeers implements Peers {
    private final Peer self;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private volatile List<Peer> all;

    /** A process that sees nobody else yet. */
    public FakePeers(String id, String... roles) {
        self = new Peer(id, Set.of(roles), id);
        all = List.of(self);
    }

    /** These are the others from now on; whose id comes first is the oldest. */
    public void sees(Peer... others) {
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
