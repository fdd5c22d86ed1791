package io.sluice.bus;

import java.util.Objects;

/**
 * An address that everybody interested hears; nobody answers, and a lost event is not sent again by the bus.
 *
 * @param <E> the event
 * @param name {@code <owner>.<fact>}
 * @param event carries the event
 */
public record EventAddress<E>(String name, WireCodec<E> event) {
    public EventAddress {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(event, "event");
    }
}
