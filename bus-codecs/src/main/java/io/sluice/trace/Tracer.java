package io.sluice.trace;

import java.time.Duration;

/** Begins traces, and continues those of other components. Safe from any thread. */
public interface Tracer {
    /** Records nothing. */
    Tracer NONE = new Tracer() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public TraceSpan begin(String name, TraceSpan.Kind kind, Duration ago) {
            return TraceSpan.NONE;
        }

        @Override
        public TraceSpan continued(String header, String name, TraceSpan.Kind kind) {
            return TraceSpan.NONE;
        }
    };

    /** Whether any trace may be recorded. */
    boolean isOn();

    /**
     * Begins a trace, if the sampler chooses it.
     *
     * @param ago how long ago it began
     */
    TraceSpan begin(String name, TraceSpan.Kind kind, Duration ago);

    /**
     * Starts a step of a trace of another component.
     *
     * @param header the value of {@link TraceSpan#HEADER}; nothing is recorded if it is not valid, or not sampled
     */
    TraceSpan continued(String header, String name, TraceSpan.Kind kind);
}
