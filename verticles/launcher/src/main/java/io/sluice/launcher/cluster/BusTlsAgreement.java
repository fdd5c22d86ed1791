package io.sluice.launcher.cluster;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import java.util.Optional;

/** Checks that all members have TLS on the bus, or none: no message passes between one with and one without. */
final class BusTlsAgreement {
    private BusTlsAgreement() {}

    /** A sentence that names the key and a member that differs from this one; empty where all agree. */
    static Optional<String> broken(Cluster cluster) {
        boolean here = hasTls(cluster.getLocalMember());
        return cluster.getMembers().stream()
                .filter(other -> hasTls(other) != here)
                .findFirst()
                .map(other -> "hazelcast.busTls is " + given(here) + " here and " + given(!here) + " in the member "
                        + other.getAddress().getHost() + ":"
                        + other.getAddress().getPort()
                        + ": all processes of one Hazelcast cluster need it, or none");
    }

    private static boolean hasTls(Member member) {
        return Boolean.parseBoolean(member.getAttribute(MemberSettings.BUS_TLS));
    }

    private static String given(boolean tls) {
        return tls ? "given" : "not given";
    }
}
