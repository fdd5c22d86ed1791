package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A process has not seen the whole cluster for long. Said each second for as long as that is so: as long as there is
 * one that sees it, this one leads no listings.
 *
 * @param member id of the process
 * @param reason what it does not see, in words
 */
public record ListerWithoutView(String member, String reason) {
    public ListerWithoutView {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(reason, "reason");
    }
}
