package io.sluice.agent;

import io.sluice.trace.TraceSpan;
import io.sluice.trace.Tracer;
import java.time.Duration;
import java.util.List;

/**
 * Records every trace that begins here; it continues none.
 *
 * @param log what happened to spans, in order
 */
record WrittenTracer(List<String> log) implements Tracer {
    /** A span of another component. */
    TraceSpan span(String name) {
        return new Recorded(name);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public TraceSpan begin(String name, TraceSpan.Kind kind, Duration ago) {
        return new Recorded(name).begun(ago);
    }

    @Override
    public TraceSpan continued(String header, String name, TraceSpan.Kind kind) {
        return TraceSpan.NONE;
    }

    /** A span that writes down its path, its begin and its end. */
    private final class Recorded implements TraceSpan {
        private final String path;

        Recorded(String path) {
            this.path = path;
        }

        Recorded begun(Duration ago) {
            log.add("begin " + path + (ago.isZero() ? "" : " " + ago.toMillis() + " ms ago"));
            return this;
        }

        @Override
        public boolean isRecorded() {
            return true;
        }

        @Override
        public String traceId() {
            return path;
        }

        @Override
        public String spanId() {
            return path;
        }

        @Override
        public String header() {
            return path;
        }

        @Override
        public TraceSpan child(String name, Kind kind, Duration ago) {
            return new Recorded(path + "/" + name).begun(ago);
        }

        @Override
        public TraceSpan set(String key, String value) {
            if (key.equals("sluice.outcome")) {
                log.add(path + " " + value);
            }
            return this;
        }

        @Override
        public TraceSpan set(String key, long value) {
            return this;
        }

        @Override
        public TraceSpan failed(String reason) {
            log.add(path + " failed: " + reason);
            return this;
        }

        @Override
        public void end(Duration ago) {
            log.add("end " + path + (ago.isZero() ? "" : " " + ago.toMillis() + " ms ago"));
        }
    }
}
