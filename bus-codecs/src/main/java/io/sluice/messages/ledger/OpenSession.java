package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * A runner wants to speak for a member; whoever spoke before is superseded.
 *
 * @param node the member's node
 * @param member the pod's uid
 * @param runner the runner's own id; the one that is current gets its session again
 * @param lastSession the last session that the runner knows of for this member; 0 if none
 */
public record OpenSession(String node, String member, String runner, long lastSession) {
    private static final String GATEWAY = "gateway-";

    public OpenSession {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(runner, "runner");
        if (runner.isEmpty()) {
            throw new IllegalArgumentException("a session is opened by a runner with a name");
        }
        if (lastSession < 0) {
            throw new IllegalArgumentException("a session is never negative: " + lastSession);
        }
    }

    /** In whose name a gateway opens sessions for agents that know none; {@code suffix} is unlike any other. */
    public static String gateway(String suffix) {
        return GATEWAY + suffix;
    }

    /** Whether a session was opened in such a name: its agent is of the reference's kind. */
    public static boolean byGateway(String runner) {
        return runner.startsWith(GATEWAY);
    }
}
