package io.sluice.gateway.peers;

import io.sluice.gateway.core.peers.PeerView;
import io.sluice.messages.member.MemberStatus;
import java.util.List;
import java.util.Objects;

/**
 * How this process and the others stand.
 *
 * @param self how this one is
 * @param others the others, sorted by id; empty for a process that is alone
 */
public record PeerReport(MemberStatus self, List<PeerView> others) {
    public PeerReport {
        Objects.requireNonNull(self, "self");
        others = List.copyOf(others);
    }
}
