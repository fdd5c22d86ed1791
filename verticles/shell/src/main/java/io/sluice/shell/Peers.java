package io.sluice.shell;

import java.util.List;
import java.util.Set;

/**
 * The processes that work together, in this one's view; two views may differ for some seconds. Safe from any thread.
 */
public interface Peers {
    /** A process that is alone, with any role; its id is empty, as it needs none. */
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

    /** All of them, in the order in which they joined. Processes with the same view have the same order. */
    List<Peer> oldestFirst();

    /**
     * Calls back after each change from now on.
     *
     * @param changed called on any thread; never waits
     */
    Watching watch(Runnable changed);

    /** Whether this process is alone. */
    default boolean alone() {
        return this == ALONE;
    }
}
