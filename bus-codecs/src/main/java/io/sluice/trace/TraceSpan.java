package io.sluice.trace;

import io.sluice.units.Resources;
import java.time.Duration;

/**
 * One step of a trace, from its start to its end; {@link #NONE} where nothing is recorded. Its attributes are names,
 * amounts and decisions, never a token, an annotation or an environment. Safe from any thread.
 */
public interface TraceSpan {
    /** The name of the message header that carries a span to another component, as W3C defines it. */
    String HEADER = "traceparent";

    /** Records nothing. */
    TraceSpan NONE = new NoSpan();

    /** What a span stands for. */
    enum Kind {
        /** A step within a component. */
        INTERNAL,
        /** From a request to its reply, as its sender sees it. */
        CLIENT,
        /** From a request to its reply, as its receiver sees it. */
        SERVER,
        /** The publishing of an event. */
        PRODUCER,
        /** The handling of an event. */
        CONSUMER
    }

    /** Whether anything is recorded. */
    boolean isRecorded();

    /** The trace's id in 32 hexadecimal digits; empty if nothing is recorded. */
    String traceId();

    /** This span's id in 16 hexadecimal digits; empty if nothing is recorded. */
    String spanId();

    /** The value of {@link #HEADER}; empty if nothing is recorded. */
    String header();

    /**
     * Starts a step of this one.
     *
     * @param ago how long ago it began
     */
    TraceSpan child(String name, Kind kind, Duration ago);

    /** Sets an attribute. */
    TraceSpan set(String key, String value);

    /** Sets an attribute. */
    TraceSpan set(String key, long value);

    /** Marks it as failed. */
    TraceSpan failed(String reason);

    /**
     * Ends it; a second call changes nothing.
     *
     * @param ago how long ago that was
     */
    void end(Duration ago);

    /** Ends it now. */
    default void end() {
        end(Duration.ZERO);
    }

    /** Starts a step of this one now. */
    default TraceSpan child(String name, Kind kind) {
        return child(name, kind, Duration.ZERO);
    }

    /** Names the VM that it is about, as {@code namespace/name}. */
    default TraceSpan of(String vm) {
        return set("sluice.vm", vm);
    }

    /** Names the node that it is about. */
    default TraceSpan on(String node) {
        return set("k8s.node.name", node);
    }

    /** Sets an amount: {@code what} is such as {@code requested}. */
    default TraceSpan amount(String what, Resources amount) {
        return set("sluice." + what + ".milli_cpu", amount.milliCpu())
                .set("sluice." + what + ".memory_bytes", amount.memoryBytes());
    }

    /** Sets what was decided, a word of a bounded set. */
    default TraceSpan outcome(String outcome) {
        return set("sluice.outcome", outcome);
    }
}
