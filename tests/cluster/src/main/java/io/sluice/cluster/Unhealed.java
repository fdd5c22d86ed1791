package io.sluice.cluster;

/** A condition after a fault was not met in time. */
final class Unhealed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unhealed(String what) {
        super(what);
    }
}
