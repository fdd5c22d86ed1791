package io.sluice.cluster.process;

import java.util.Collection;
import java.util.Optional;

/** The network of the processes: their addresses, and the connections between them. */
public interface Ground extends AutoCloseable {
    /** The place of the process with that number, from 1. */
    Place place(int number);

    /** The place of this process, the observer. */
    Place observer();

    /** Why cuts are not possible here; empty if they are. */
    Optional<String> undivided();

    /** Cuts some processes off from others, on the members' ports only, until {@link #heal}. */
    void cut(Collection<Place> some, Collection<Place> others, Cut how);

    /** Heals every cut. */
    void heal();

    /** Removes all that was made. */
    @Override
    void close();
}
