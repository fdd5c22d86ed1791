package io.sluice.gateway.core.peers;

import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of another process, as this one sees it.
 *
 * @param peer the process
 * @param status its last status; empty until it has replied
 * @param roundTrip how long its last reply took; empty until it has replied
 * @param silentSince since when it has not replied; empty while it does
 * @param answering whether it counts as replying: one lost request does not end that
 * @param reason why there was no reply, in words; empty while it replies
 */
public record PeerView(
        Peer peer,
        Optional<MemberStatus> status,
        Optional<Duration> roundTrip,
        Optional<Instant> silentSince,
        boolean answering,
        String reason) {
    public PeerView {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(roundTrip, "roundTrip");
        Objects.requireNonNull(silentSince, "silentSince");
        Objects.requireNonNull(reason, "reason");
    }
}
