package io.sluice.billing;

import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** Turns facts about VMs into charges, by one arithmetic. All on one context, with times that never go back. */
interface Metering {
    void seen(VmUse fact, Instant now);

    void gone(VmId vm, Instant now);

    /** A full listing is through. Answers which VMs are gone, as it is one too many that does not name them. */
    Set<VmId> listed(Instant now);

    /** Changes of VMs are being heard of. */
    void watched(Instant now);

    /** Whether a full listing is wanted, as changes may have been missed since the last one; told once. */
    boolean takeWantsListing();

    /** Time goes by. */
    void tick(Instant now);

    /** When it wants to be told of the time next. */
    Instant nextTick(Instant now);

    /** While nobody takes charges, windows grow instead of being closed, where nobody else cuts there. */
    void hold(boolean holds);

    /** What is to become durable next: of several windows the first. */
    UsageCommit harvest(Instant now);

    /** Whether another harvest is there already, for which nobody need wait. */
    boolean hasMore();

    /** What is to become durable while a harvest is not taken; empty where that tells the next process nothing. */
    Map<String, byte[]> signOfLife(Instant now);

    /** Nobody goes on here. */
    void flush(Instant now);

    /** What it bills now. */
    Census census();

    /**
     * How metering stands, for people.
     *
     * @param metered how many VMs are metered
     * @param missing why changes of VMs are being missed; empty while they are not
     * @param refused how often a VM was not taken in, as there are too many
     * @param givenUp how many charges were given up, as nobody took any for too long
     */
    record Census(int metered, String missing, long refused, long givenUp) {
        /** Changes of VMs are missed since the start. */
        static final String RESTART = "restart";

        /** Changes of VMs were heard of, and are not any more. */
        static final String WATCH = "watch";
    }
}
