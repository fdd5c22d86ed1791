package io.sluice.messages.member;

import java.util.Objects;

/**
 * Requests the status of a process.
 *
 * @param requester the id of the requesting process
 */
public record MemberStatusRequest(String requester) {
    public MemberStatusRequest {
        Objects.requireNonNull(requester, "requester");
    }
}
