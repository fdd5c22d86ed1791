package io.sluice.messages.member;

import java.util.Objects;

/**
 * How is a process?
 *
 * @param asker the id of the process that asks
 */
public record MemberStatusRequest(String asker) {
    public MemberStatusRequest {
        Objects.requireNonNull(asker, "asker");
    }
}
