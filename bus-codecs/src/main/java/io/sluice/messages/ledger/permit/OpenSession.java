package io.sluice.messages.ledger.permit;

import java.util.Objects;

/**
 * Opens a runner's session for a VM's reservation; the session before is superseded.
 *
 * @param node the reservation's node
 * @param pod the pod's uid
 * @param runner the runner's own id; the runner of the current session gets that session again
 * @param lastSession the last session that the runner had for this reservation; 0 if none
 */
public record OpenSession(String node, String pod, String runner, long lastSession) {
    private static final String GATEWAY = "gateway-";

    public OpenSession {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(runner, "runner");
        if (runner.isEmpty()) {
            throw new IllegalArgumentException("a session needs the id of its runner");
        }
        if (lastSession < 0) {
            throw new IllegalArgumentException("a session is never negative: " + lastSession);
        }
    }

    /** The runner id with which a gateway opens sessions for agents without them; {@code suffix} is unique. */
    public static String gateway(String suffix) {
        return GATEWAY + suffix;
    }

    /** Whether a session was opened by a gateway, for an agent of the reference's kind. */
    public static boolean byGateway(String runner) {
        return runner.startsWith(GATEWAY);
    }
}
