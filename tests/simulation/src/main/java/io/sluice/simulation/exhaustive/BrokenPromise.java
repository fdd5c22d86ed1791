package io.sluice.simulation.exhaustive;

/** A promise of the ledger does not hold in a state. */
public final class BrokenPromise extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String promise;

    BrokenPromise(String promise, String detail) {
        super(promise + ": " + detail);
        this.promise = promise;
    }

    /** Which promise it is. */
    public String promise() {
        return promise;
    }
}
