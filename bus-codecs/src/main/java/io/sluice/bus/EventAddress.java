package io.sluice.bus;

import io.sluice.wire.WireCodec;
import java.util.Objects;

/**
 * An address of events, which go to all current consumers. There is no reply, and the bus does not send a lost event
 * again.
 *
 * @param <E> the event
 * @param name {@code <owner>.<event>}
 * @param event the codec of the event
 */
public record EventAddress<E>(String name, WireCodec<E> event) {
    public EventAddress {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(event, "event");
    }
}
