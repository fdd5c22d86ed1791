package io.sluice.cluster.process;

import io.sluice.shell.LoopbackPorts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** All processes on 127.0.0.1, with ports of their own: needs no privileges, and cuts are not possible. */
public final class Loopback implements Ground {
    private static final String HOST = "127.0.0.1";

    private final List<Place> places = new ArrayList<>();

    /** Reserves ports for that many processes besides this one. */
    public Loopback(int processes) {
        for (int i = 0; i <= processes; i++) {
            places.add(new Place(
                    i,
                    HOST,
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    List.of()));
        }
    }

    @Override
    public Place place(int number) {
        return places.get(number);
    }

    @Override
    public Place observer() {
        return places.getFirst();
    }

    @Override
    public Optional<String> undivided() {
        return Optional.of("processes on loopback cannot be cut off from each other");
    }

    @Override
    public void cut(Collection<Place> some, Collection<Place> others, Cut how) {
        throw new UnsupportedOperationException("loopback cannot be cut");
    }

    @Override
    public void heal() {
        // There are no cuts.
    }

    @Override
    public void close() {
        // There is nothing to remove.
    }
}
