package io.sluice.bus;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows every message that a process says, asks, answers or hears to whoever listens. Nobody can change anything
 * through it, and while nobody listens it costs one look at an empty list for each message.
 *
 * <p>Within one process a message passes twice: once out, once in. Safe from any thread.
 */
public final class Tap {
    /** More at a time are refused. */
    public static final int LISTENERS_MAX = 8;

    private static final Logger LOG = LoggerFactory.getLogger(Tap.class);

    private final List<Consumer<Passage>> listeners = new CopyOnWriteArrayList<>();

    Tap() {}

    /** What passes. */
    public enum Kind {
        /** A question. */
        REQUEST,
        /** An answer, or that there was none. */
        REPLY,
        /** An event. */
        EVENT
    }

    /** Which way it passes. */
    public enum Direction {
        /** This process says it. */
        OUT,
        /** This process hears it. */
        IN
    }

    /**
     * A message that passes. It is made before anybody has looked whether he wants it, so it holds what there is and
     * works nothing out.
     *
     * @param address of the bus
     * @param kind what passes
     * @param direction which way
     * @param codec how it looks on the wire
     * @param message the message; empty where there is none: an answer that did not come, or was unreadable
     * @param question the question that is answered; empty for all that is no answer, and where the question passed
     *     before anybody listened
     * @param latencyNanos of an answer that comes in, since its question went out; of one that goes out, since its
     *     question came in; empty for all else, and where the question passed before anybody listened
     * @param failure why there is no answer, in words; empty for all else
     */
    public record Passage(
            String address,
            Kind kind,
            Direction direction,
            WireCodec<?> codec,
            Optional<Object> message,
            Optional<Object> question,
            Optional<Long> latencyNanos,
            Optional<String> failure) {
        public Passage {
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(direction, "direction");
            Objects.requireNonNull(codec, "codec");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(question, "question");
            Objects.requireNonNull(latencyNanos, "latencyNanos");
            Objects.requireNonNull(failure, "failure");
        }

        /** How many bytes the message takes on the wire; 0 without one. Encodes it each time. */
        public int bytes() {
            return message.map(this::encoded).orElse(0);
        }

        @SuppressWarnings("unchecked") // made by Bus, which pairs messages with their own codecs
        private int encoded(Object held) {
            return ((WireCodec<Object>) codec).encode(held).length();
        }
    }

    /** Ends listening; may be called again. */
    public interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Listens from now on.
     *
     * @param listener called on whatever thread the message passes on: it decides at once, keeps little and never waits
     * @throws IllegalStateException when {@link #LISTENERS_MAX} listen already
     */
    public synchronized Closing listen(Consumer<Passage> listener) {
        if (listeners.size() >= LISTENERS_MAX) {
            throw new IllegalStateException(LISTENERS_MAX + " listen to the bus already");
        }
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    boolean isOpen() {
        return !listeners.isEmpty();
    }

    /** A listener that throws is not asked again: the message itself must pass. */
    void show(Passage passage) {
        for (var listener : new ArrayList<>(listeners)) {
            try {
                listener.accept(passage);
            } catch (RuntimeException thrown) {
                listeners.remove(listener);
                LOG.warn("A listener to the bus threw and is not told any more.", thrown);
            }
        }
    }
}
