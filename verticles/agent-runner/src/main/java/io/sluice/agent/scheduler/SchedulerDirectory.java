package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.Future;
import java.util.List;

/** Where schedulers are. */
interface SchedulerDirectory {
    /** Begins to look; called once, on the context of all other calls. Waits for a first look, but not for long. */
    Future<Void> start();

    /** Those that can be asked, the preferred one first. */
    List<SchedulerAddress> known();

    /** Why there may be none, in words. */
    String whereabouts();

    /** Looks no more. */
    Future<Void> close();
}
