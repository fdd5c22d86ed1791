package io.sluice.gateway.core.peers;

import io.sluice.messages.member.MemberStatus;
import java.util.List;
import java.util.Objects;

/**
 * The state of this process and of the others.
 *
 * @param self this process
 * @param others the others, sorted by id; empty for a process that is alone
 */
public record PeerReport(MemberStatus self, List<PeerView> others) {
    public PeerReport {
        Objects.requireNonNull(self, "self");
        others = List.copyOf(others);
    }
}
