package io.sluice.placement.core.spec;

import java.util.Objects;

/** A port of a node that a pod uses, at one of its addresses or at {@link #ALL_ADDRESSES}. */
public record HostPort(String protocol, int port, String ip) {
    public static final String ALL_ADDRESSES = "0.0.0.0";

    public HostPort {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(ip, "ip");
    }

    /** Whether both cannot be used on one node. */
    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (ip.equals(other.ip) || ip.equals(ALL_ADDRESSES) || other.ip.equals(ALL_ADDRESSES));
    }
}
