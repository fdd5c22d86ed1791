package io.sluice.agent.core.runner;

import io.sluice.agent.core.status.VmPod;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.UpscaleRequest;
import java.time.Instant;
import java.util.Optional;

/** The state of the session with a VM's monitor, as its runner received it last. */
final class MonitorSessionState {
    private static final long UNKNOWN = -1;
    private static final int LOSSES_MAX = 3;

    private long generation = UNKNOWN;
    private boolean connected;
    private boolean found;
    private Optional<String> at = Optional.empty();
    private int losses;
    private Optional<UnansweredUpscale> upscaleRequest = Optional.empty();

    private record UnansweredUpscale(long generation, Instant at) {}

    boolean connected() {
        return connected;
    }

    /** Whether the session may be older than this runner, or than the loss of its state here. */
    boolean isFound() {
        return found;
    }

    long generation() {
        return generation;
    }

    /** The process that keeps the session; empty while it is unknown. */
    Optional<String> at() {
        return at;
    }

    /** The request to end the session. */
    RunnerAction detach(VmPod pod) {
        return new RunnerAction.DetachFromMonitor(new DetachMonitor(pod.vm()), at);
    }

    /**
     * A published state. It is dropped if it is older than the current one, or from a process that does not keep this
     * runner's session. Returns whether the session changed.
     */
    boolean received(MonitorState state) {
        return isOrMayBeAt(state.at()) && state.generation() >= generation && adopt(state);
    }

    /**
     * A reply. If its generation is older than the one at the time of the request, the process counts anew, after a
     * restart or as another process: the reply is adopted. Returns whether the session changed.
     */
    boolean answered(MonitorState state, long generationWhenRequested) {
        losses = 0;
        boolean overtaken =
                isOrMayBeAt(state.at()) && state.generation() < generation && generation != generationWhenRequested;
        return !overtaken && adopt(state);
    }

    /**
     * A request without a reply. After some of these in a row the session counts as lost. Returns whether a connected
     * session was lost.
     */
    boolean lost() {
        losses++;
        if (losses < LOSSES_MAX) {
            return false;
        }
        boolean was = connected;
        generation = UNKNOWN;
        connected = false;
        at = Optional.empty();
        return was;
    }

    /** Takes in an upscale request. Returns whether it belongs to this runner's session, as {@link #belongs} has it. */
    boolean upscaleRequested(UpscaleRequest request, Instant now) {
        if (belongs(request)) {
            upscaleRequest = Optional.of(new UnansweredUpscale(request.generation(), now));
        }
        return belongs(request);
    }

    /**
     * Whether an upscale request came by the current session, or by one so new that its state has not arrived yet, or
     * from a driver, which may request more beside any monitor.
     */
    boolean belongs(UpscaleRequest request) {
        return isOfDriver(request.generation()) || isOrMayBeAt(request.at()) && request.generation() >= generation;
    }

    private static boolean isOfDriver(long generation) {
        return generation == MonitorState.OF_DRIVER;
    }

    /** The time of the last upscale request by the current session. */
    Optional<Instant> upscaleRequestedAt() {
        return upscaleRequest
                .filter(received -> isOfDriver(received.generation()) || received.generation() == generation)
                .map(UnansweredUpscale::at);
    }

    /** Generations of two processes cannot be compared. */
    private boolean isOrMayBeAt(String peer) {
        return at.isEmpty() || at.get().equals(peer);
    }

    private boolean adopt(MonitorState state) {
        boolean same = at.isPresent() && isOrMayBeAt(state.at());
        if (same && state.generation() == generation && state.connected() == connected) {
            return false;
        }
        found = !same || state.generation() < generation || state.generation() == generation && connected;
        at = Optional.of(state.at());
        generation = state.generation();
        connected = state.connected();
        return true;
    }
}
