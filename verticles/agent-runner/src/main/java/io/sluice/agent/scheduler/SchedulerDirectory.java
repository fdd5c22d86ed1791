package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.Future;
import java.util.List;

/** The addresses of schedulers. */
interface SchedulerDirectory {
    /**
     * Starts discovery; called once, on the context of all other calls. Waits for a first result, but for a bounded
     * time.
     */
    Future<Void> start();

    /** Those that can serve, the preferred one first; the same list until it changes. */
    List<SchedulerAddress> known();

    /** Whether requests go to any of them, and not to the preferred one as long as it responds. */
    boolean spreads();

    /** Why there may be none, in words. */
    String whereabouts();

    /** Reports that none of them responded: what is known may be outdated. */
    default void noneResponded() {}

    /** Stops discovery. */
    Future<Void> close();
}
