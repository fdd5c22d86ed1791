package io.sluice.agent.core.runner;

/**
 * What one runner leaves to the next one for the same VM.
 *
 * @param lastSession the last session it knew of for its member; 0 if none
 * @param member the pod's uid that the session belongs to; empty if none
 * @param supersededInARow how many runners were superseded one after the other; each waits longer than the one before
 */
public record Resume(long lastSession, String member, int supersededInARow) {
    /** Nobody ran before. */
    public static final Resume FRESH = new Resume(0, "", 0);

    /** The session to name when opening one for {@code pod}: sessions of other members count nothing. */
    long lastSessionOf(String pod) {
        return member.equals(pod) ? lastSession : 0;
    }
}
