package io.sluice.cluster;

import java.util.Collection;
import java.util.Optional;

/** What the processes of a cluster stand on: addresses, and the lines between them. */
public interface Ground extends AutoCloseable {
    /** Of the process with that number, from 1. */
    Place place(int number);

    /** Of this process, which looks on. */
    Place observer();

    /** Why nobody can be cut off here; empty where that can be done. */
    Optional<String> undivided();

    /** Cuts some off from others on the members' ports alone, until {@link #heal}. */
    void cut(Collection<Place> some, Collection<Place> others, Cut how);

    /** Mends every cut. */
    void heal();

    /** Leaves nothing behind. */
    @Override
    void close();
}
