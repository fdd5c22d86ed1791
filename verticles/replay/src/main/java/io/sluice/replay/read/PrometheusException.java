package io.sluice.replay.read;

/** A Prometheus that did not reply as it should. */
public final class PrometheusException extends Exception {
    private static final long serialVersionUID = 1L;

    PrometheusException(String message) {
        super(message);
    }
}
