package io.sluice.agent.core.runner;

import io.sluice.messages.cluster.ScalingOverrides;
import java.util.Objects;

/**
 * What one runner leaves to the next one for the same VM.
 *
 * @param lastSession the last session it knew of for its member; 0 if none
 * @param member the pod's uid that the session belongs to; empty if none
 * @param supersededInARow how many runners were superseded one after the other; each waits longer than the one before
 * @param overrides what last held of the VM's own scaling config: it stays in force while what the VM says is no good
 */
public record RunnerHandover(long lastSession, String member, int supersededInARow, ScalingOverrides overrides) {
    /** Nobody ran before. */
    public static final RunnerHandover FRESH = new RunnerHandover(0, "", 0);

    public RunnerHandover {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(overrides, "overrides");
    }

    /** Of a VM whose own scaling config never held. */
    public RunnerHandover(long lastSession, String member, int supersededInARow) {
        this(lastSession, member, supersededInARow, ScalingOverrides.NONE);
    }

    /** The same, after a session was opened for {@code pod}. */
    public RunnerHandover inSession(long session, String pod) {
        return new RunnerHandover(session, pod, supersededInARow, overrides);
    }

    /** The same, where these overrides last held. */
    public RunnerHandover keeping(ScalingOverrides held) {
        return new RunnerHandover(lastSession, member, supersededInARow, held);
    }

    /** The session to name when opening one for {@code pod}: sessions of other members count nothing. */
    long lastSessionOf(String pod) {
        return member.equals(pod) ? lastSession : 0;
    }
}
