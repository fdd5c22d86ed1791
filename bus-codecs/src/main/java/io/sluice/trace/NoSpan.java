package io.sluice.trace;

import java.time.Duration;

/** A span that records nothing. */
record NoSpan() implements TraceSpan {
    @Override
    public boolean isRecorded() {
        return false;
    }

    @Override
    public String traceId() {
        return "";
    }

    @Override
    public String spanId() {
        return "";
    }

    @Override
    public String header() {
        return "";
    }

    @Override
    public TraceSpan child(String name, Kind kind, Duration ago) {
        return this;
    }

    @Override
    public TraceSpan set(String key, String value) {
        return this;
    }

    @Override
    public TraceSpan set(String key, long value) {
        return this;
    }

    @Override
    public TraceSpan failed(String reason) {
        return this;
    }

    @Override
    public void end(Duration ago) {
        // Nothing was recorded.
    }
}
