package io.sluice.bus;

import io.sluice.wire.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows listeners every message that a process sends or receives. A listener cannot change a message. While there is no
 * listener, the cost is one check of an empty list for each message.
 *
 * <p>A message within one process is shown twice: once out, once in. Safe from any thread.
 */
public final class Tap {
    /** The most listeners at a time; further ones are refused. */
    public static final int LISTENERS_MAX = 8;

    private static final Logger LOG = LoggerFactory.getLogger(Tap.class);

    private final List<Consumer<Passage>> listeners = new CopyOnWriteArrayList<>();

    Tap() {}

    /** The kind of a message. */
    public enum Kind {
        /** A request. */
        REQUEST,
        /** A reply, or the failure of a request. */
        REPLY,
        /** An event. */
        EVENT
    }

    /** The direction of a message. */
    public enum Direction {
        /** Sent by this process. */
        OUT,
        /** Received by this process. */
        IN
    }

    /**
     * A message that was sent or received. It is created before any listener has checked whether it needs it, so it
     * only holds references and computes nothing.
     *
     * @param address of the bus
     * @param kind of the message
     * @param direction of the message
     * @param codec encodes the message
     * @param message the message; empty for a reply that did not come or was unreadable
     * @param request the request of a reply; empty for other kinds, and where the request was sent before there was a
     *     listener
     * @param latencyNanos of a received reply, since its request was sent; of a sent reply, since its request was
     *     received; empty for other kinds, and where the request was sent before there was a listener
     * @param failure why there is no reply; empty otherwise
     */
    public record Passage(
            String address,
            Kind kind,
            Direction direction,
            WireCodec<?> codec,
            Optional<Object> message,
            Optional<Object> request,
            Optional<Long> latencyNanos,
            Optional<String> failure) {
        public Passage {
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(direction, "direction");
            Objects.requireNonNull(codec, "codec");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(latencyNanos, "latencyNanos");
            Objects.requireNonNull(failure, "failure");
        }

        /** The message's size on the wire in bytes; 0 without a message. Encodes it each time. */
        public int bytes() {
            return message.map(this::encoded).orElse(0);
        }

        @SuppressWarnings("unchecked") // made by Bus, which pairs messages with their own codecs
        private int encoded(Object held) {
            return ((WireCodec<Object>) codec).encode(held).length();
        }
    }

    /** Removes the listener; may be called again. */
    public interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Adds a listener.
     *
     * @param listener called on the thread of each message: it must return at once and never block
     * @throws IllegalStateException when there are {@link #LISTENERS_MAX} listeners already
     */
    public synchronized Closing listen(Consumer<Passage> listener) {
        if (listeners.size() >= LISTENERS_MAX) {
            throw new IllegalStateException(LISTENERS_MAX + " listeners are on the bus already");
        }
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Whether there is a listener. */
    public boolean isOpen() {
        return !listeners.isEmpty();
    }

    /** Shows a message to all listeners. A listener that throws is removed: the message itself must go on. */
    void show(Passage passage) {
        for (var listener : new ArrayList<>(listeners)) {
            try {
                listener.accept(passage);
            } catch (RuntimeException thrown) {
                listeners.remove(listener);
                LOG.warn("A listener on the bus threw and was removed.", thrown);
            }
        }
    }
}
