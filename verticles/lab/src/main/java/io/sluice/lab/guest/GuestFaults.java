package io.sluice.lab.guest;

/** The faults of one guest at this moment; both may be read from any thread. */
public interface GuestFaults {
    /** A guest without faults. */
    GuestFaults NONE = new GuestFaults() {
        @Override
        public boolean refusesToShrink() {
            return false;
        }

        @Override
        public boolean monitorIsDead() {
            return false;
        }
    };

    /** Whether its monitor denies each downscale. */
    boolean refusesToShrink();

    /** Whether its monitor has no session and takes no connection. */
    boolean monitorIsDead();
}
