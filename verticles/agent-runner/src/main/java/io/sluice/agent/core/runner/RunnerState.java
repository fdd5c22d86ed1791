package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.CoreState;
import java.util.Optional;

/**
 * A runner's state, for metrics, dumps and tests.
 *
 * @param stage how far it has come
 * @param session its ledger session; 0 while it has none
 * @param seq the last sequence number sent in it; 0 if none
 * @param fence the fence that it holds on its VM; empty while it has claimed none
 * @param core its scaling core; empty until it serves
 */
public record RunnerState(Stage stage, long session, long seq, String fence, Optional<CoreState> core) {
    /** How far a runner has come. */
    public enum Stage {
        /** Has no session yet. */
        OPENING,
        /** Has a session, and writes its fence. */
        CLAIMING,
        /** Scales its VM. */
        SERVING,
        /** Waits for the last replies. */
        STOPPING,
        /** Has ended. */
        STOPPED
    }

    /** The state of a runner that has come to serve. */
    static RunnerState of(Stage stage, ServingState serving) {
        return new RunnerState(
                stage,
                serving.session(),
                serving.seq(),
                serving.fence().text(),
                Optional.of(serving.core().state()));
    }
}
