package io.sluice.cluster;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** What a gateway answered, by the agents' protocol. */
sealed interface Reply {
    /**
     * What may be used.
     *
     * @param session that the answer is for, or that it opened
     * @param validFor how long after the question was sent growth may start; zero where none may
     */
    record Permit(Resources permit, long session, Duration validFor) implements Reply {}

    /**
     * No permit.
     *
     * @param pause after which asking again makes sense
     */
    record Refused(int status, String words, Optional<Duration> pause) implements Reply {
        /** As it is counted. */
        String reason() {
            return status + " " + (words.length() > REASON_MAX ? words.substring(0, REASON_MAX) : words);
        }
    }

    /** Nobody answered. */
    record Silent(String reason) implements Reply {}

    /** No reason is longer where it is counted. */
    int REASON_MAX = 60;

    /** Reads an answer; one that cannot be read is a refusal. */
    static Reply of(int status, Optional<String> retryAfter, String body) {
        if (status != 200) {
            return new Refused(status, body, retryAfter.map(seconds -> Duration.ofSeconds(Long.parseLong(seconds))));
        }
        try {
            var json = new JsonObject(body);
            var permit = json.getJsonObject("permit");
            return new Permit(
                    new Resources(
                            Quantities.milliCpu(String.valueOf(permit.getValue("vCPUs"))),
                            Quantities.bytes(String.valueOf(permit.getValue("mem")))),
                    json.getLong("session", 0L),
                    Duration.ofMillis(Math.round(json.getDouble("validFor", 0.0) * 1000)));
        } catch (DecodeException | IllegalArgumentException | ClassCastException | NullPointerException unreadable) {
            return new Refused(status, "unreadable: " + body, Optional.empty());
        }
    }
}
