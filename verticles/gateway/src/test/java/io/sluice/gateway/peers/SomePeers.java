package io.sluice.gateway.peers;

import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes that join and leave as a test requires; each sees all of them. */
public final class SomePeers {
    private final List<Peer> all = new CopyOnWriteArrayList<>();
    private final List<Runnable> watching = new CopyOnWriteArrayList<>();

    /** Adds a process; returns its view. */
    public Peers join(String id, String... roles) {
        var self = new Peer(id, Set.of(roles), "10.0.0.2:5701");
        all.add(self);
        watching.forEach(Runnable::run);
        return new PeersView(self);
    }

    /** Removes a process. */
    public void leave(String id) {
        all.removeIf(peer -> peer.id().equals(id));
        watching.forEach(Runnable::run);
    }

    private final class PeersView implements Peers {
        private final Peer self;

        private PeersView(Peer self) {
            this.self = self;
        }

        @Override
        public Peer self() {
            return self;
        }

        @Override
        public List<Peer> all() {
            return all.stream().sorted(Comparator.comparing(Peer::id)).toList();
        }

        @Override
        public List<Peer> oldestFirst() {
            return List.copyOf(all);
        }

        @Override
        public Watching watch(Runnable changed) {
            watching.add(changed);
            return () -> watching.remove(changed);
        }
    }
}
