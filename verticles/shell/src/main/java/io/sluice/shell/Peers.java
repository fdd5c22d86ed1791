package io.sluice.shell;

import java.util.List;
import java.util.Set;

/**
 * The processes that work together, as this one sees them now; two processes may see them differently for some seconds.
 * Safe from any thread.
 */
public interface Peers {
    /** This process and nobody else, whatever roles it has; as nobody is told apart from it, its id is empty. */
    Peers ALONE = new Peers() {
        private static final Peer SELF = new Peer("", Set.of(), "");

        @Override
        public Peer self() {
            return SELF;
        }

        @Override
        public List<Peer> all() {
            return List.of(SELF);
        }

        @Override
        public List<Peer> oldestFirst() {
            return all();
        }

        @Override
        public Watching watch(Runnable changed) {
            return () -> {};
        }
    };

    /** Ends a watch; may be called again. */
    interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    /** This process. */
    Peer self();

    /** All of them, this one included, sorted by id. */
    List<Peer> all();

    /**
     * All of them, whoever joined first before those who joined later. All who see the same peers see the same order.
     */
    List<Peer> oldestFirst();

    /**
     * Tells of each change from now on.
     *
     * @param changed called on any thread; never waits
     */
    Watching watch(Runnable changed);

    /** Whether this process has no others to share with. */
    default boolean alone() {
        return this == ALONE;
    }
}
