package io.sluice.gateway.core.peers;

import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How another process stands, as this one sees it.
 *
 * @param peer the process
 * @param status what it said last; empty until it has answered
 * @param roundTrip how long its last answer took; empty until it has answered
 * @param silentSince since when it has not answered; empty while it does
 * @param answering whether it answers: one question that is lost does not end that
 * @param reason why there was no answer, in words; empty while it answers
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
