package io.sluice.cluster;

/** Something that has to come true after a fault did not, in its time. */
final class Unhealed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unhealed(String what) {
        super(what);
    }
}
