package io.sluice.gateway.peers;

import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes that come and go as a test says; each sees all of them. */
public final class SomePeers {
    private final List<Peer> all = new CopyOnWriteArrayList<>();
    private final List<Runnable> watching = new CopyOnWriteArrayList<>();

    /** One more; what it sees. */
    public Peers join(String id, String... roles) {
        var self = new Peer(id, Set.of(roles), "10.0.0.2:5701");
        all.add(self);
        watching.forEach(Runnable::run);
        return new Seen(self);
    }

    /** One less. */
    public void leave(String id) {
        all.removeIf(peer -> peer.id().equals(id));
        watching.forEach(Runnable::run);
    }

    private final class Seen implements Peers {
        private final Peer self;

        private Seen(Peer self) {
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
