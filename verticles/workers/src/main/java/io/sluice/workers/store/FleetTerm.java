package io.sluice.workers.store;

/** The term of a process in which it serves the workers, and no other process does. */
public interface FleetTerm {
    /** Of a process that alone can open the store. */
    FleetTerm ALONE = new FleetTerm() {
        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public void fenced() {
            throw new IllegalStateException("the store of one process has another writer");
        }
    };

    /** Whether the process may act now for the fleet. */
    boolean goesOn();

    /** The store is written by another process now. */
    void fenced();
}
