package io.sluice.agent.core.runner;

import io.sluice.messages.cluster.ScalingOverrides;
import java.util.Objects;

/**
 * What one runner hands over to the next one for the same VM.
 *
 * @param lastSession the last known session for its pod; 0 if none
 * @param pod the pod's uid that the session belongs to; empty if none
 * @param supersededInARow how many runners were superseded one after the other; each waits longer than the one before
 * @param overrides the VM's last valid overrides of the scaling config: they stay in force while the present ones are
 *     not valid
 */
public record RunnerHandover(long lastSession, String pod, int supersededInARow, ScalingOverrides overrides) {
    /** For the first runner of a VM. */
    public static final RunnerHandover FRESH = new RunnerHandover(0, "", 0);

    public RunnerHandover {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(overrides, "overrides");
    }

    /** A handover without overrides. */
    public RunnerHandover(long lastSession, String pod, int supersededInARow) {
        this(lastSession, pod, supersededInARow, ScalingOverrides.NONE);
    }

    /** The same, after a session was opened for {@code pod}. */
    public RunnerHandover inSession(long session, String pod) {
        return new RunnerHandover(session, pod, supersededInARow, overrides);
    }

    /** The same, with the overrides that are in force. */
    public RunnerHandover keeping(ScalingOverrides held) {
        return new RunnerHandover(lastSession, pod, supersededInARow, held);
    }

    /** The session to name when a session for {@code pod} is opened: sessions of other pods do not count. */
    long lastSessionOf(String currentPod) {
        return pod.equals(currentPod) ? lastSession : 0;
    }
}
