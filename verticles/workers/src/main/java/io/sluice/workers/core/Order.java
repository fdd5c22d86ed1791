package io.sluice.workers.core;

import io.sluice.units.Resources;

/**
 * What a worker is to do. It is written down until the worker has acknowledged it, and sent again until then.
 *
 * @param seq its number among this worker's orders
 * @param amounts the size, of an order to start or to resize
 * @param reason in words
 */
public record Order(
        String worker, long seq, Kind kind, String instance, long generation, Resources amounts, String reason) {
    /** What is to be done with the instance. */
    public enum Kind {
        ASSIGN,
        STOP,
        RESIZE
    }
}
