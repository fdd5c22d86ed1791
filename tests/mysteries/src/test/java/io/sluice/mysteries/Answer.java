package io.sluice.mysteries;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the console said to the question why.
 *
 * @param now its sentence; empty while nothing is known of whom it was asked about
 * @param reasons what it gave as reasons, the newest first
 */
record Answer(String now, List<Given> reasons) {
    /** One reason. */
    record Given(String kind, String text) {}

    static Answer of(JsonObject json) {
        var reasons = json.getJsonArray("reasons").stream()
                .map(JsonObject.class::cast)
                .map(reason -> new Given(reason.getString("kind"), reason.getString("reason")))
                .toList();
        return new Answer(json.getString("now"), reasons);
    }

    /** Has a reason at least of each of these kinds. */
    static Predicate<Answer> with(String... kinds) {
        return answer ->
                Stream.of(kinds).noneMatch(kind -> answer.reasonsOf(kind).isEmpty());
    }

    /** The reasons of a kind, in words. */
    List<String> reasonsOf(String kind) {
        return reasons.stream()
                .filter(reason -> reason.kind().equals(kind))
                .map(Given::text)
                .toList();
    }
}
