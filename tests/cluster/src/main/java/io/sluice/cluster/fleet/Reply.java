package io.sluice.cluster.fleet;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** The reply of a gateway by the agent protocol. */
sealed interface Reply {
    /**
     * A permit.
     *
     * @param session session of the reply, or the one that it opened
     * @param validFor how long after the request was sent growth may start; zero if it may not
     */
    record Permit(Resources permit, long session, Duration validFor) implements Reply {}

    /**
     * A refusal.
     *
     * @param pause time after which a new request makes sense
     */
    record Refused(int status, String words, Optional<Duration> pause) implements Reply {
        /** The reason under which it is counted. */
        String reason() {
            return status + " " + (words.length() > REASON_MAX ? words.substring(0, REASON_MAX) : words);
        }
    }

    /** No reply. */
    record Silent(String reason) implements Reply {}

    /** The longest reason that is counted. */
    int REASON_MAX = 60;

    /** Reads a reply; one that cannot be read is a refusal. */
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
