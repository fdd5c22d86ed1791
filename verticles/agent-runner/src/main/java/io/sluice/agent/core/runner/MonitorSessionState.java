package io.sluice.agent.core.runner;

import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.UpscaleRequest;
import java.time.Instant;
import java.util.Optional;

/** What a runner knows of the session with its VM's monitor. */
final class MonitorSessionState {
    private static final long UNKNOWN = -1;
    private static final int LOSSES_MAX = 3;

    private long generation = UNKNOWN;
    private boolean connected;
    private Optional<String> at = Optional.empty();
    private int losses;
    private Optional<UnansweredUpscale> cry = Optional.empty();

    private record UnansweredUpscale(long generation, Instant at) {}

    boolean connected() {
        return connected;
    }

    long generation() {
        return generation;
    }

    /** The process that keeps the session; empty until one is known. */
    Optional<String> at() {
        return at;
    }

    /** Lets go of the session. */
    RunnerAction detach(VmPod member) {
        return new RunnerAction.DetachFromMonitor(new DetachMonitor(member.vm()), at);
    }

    /**
     * A published state; what is older than known may have been overtaken, and what somebody else keeps for the VM is
     * not this runner's. Tells whether the session is another now.
     */
    boolean heard(MonitorState state) {
        return isOrMayBeAt(state.at()) && state.generation() >= generation && adopt(state);
    }

    /**
     * An answer. One that is older than what was known when it was asked for comes from somebody who counts anew, after
     * a restart or as another process: it is believed.
     */
    boolean answered(MonitorState state, long generationWhenAsked) {
        losses = 0;
        boolean overtaken =
                isOrMayBeAt(state.at()) && state.generation() < generation && generation != generationWhenAsked;
        return !overtaken && adopt(state);
    }

    /**
     * Nobody answered. After some of these in a row nothing is known any more. Tells whether a session was given up.
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

    /** Takes a cry in; tells whether it belongs to this runner's session, as {@link #belongs} has it. */
    boolean cried(UpscaleRequest wanted, Instant now) {
        if (belongs(wanted)) {
            cry = Optional.of(new UnansweredUpscale(wanted.generation(), now));
        }
        return belongs(wanted);
    }

    /** Whether a cry came by the present session, or by one so new that its state has not been heard. */
    boolean belongs(UpscaleRequest wanted) {
        return isOrMayBeAt(wanted.at()) && wanted.generation() >= generation;
    }

    /** When the present session last cried. */
    Optional<Instant> criedAt() {
        return cry.filter(heard -> heard.generation() == generation).map(UnansweredUpscale::at);
    }

    /** Generations of two processes do not compare. */
    private boolean isOrMayBeAt(String peer) {
        return at.isEmpty() || at.get().equals(peer);
    }

    private boolean adopt(MonitorState state) {
        boolean same = at.isPresent() && isOrMayBeAt(state.at());
        if (same && state.generation() == generation && state.connected() == connected) {
            return false;
        }
        at = Optional.of(state.at());
        generation = state.generation();
        connected = state.connected();
        return true;
    }
}
