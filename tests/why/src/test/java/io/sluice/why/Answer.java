package io.sluice.why;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The console's reply to a request for an explanation.
 *
 * @param now its sentence; empty while the VM or node is unknown
 * @param helps what would let what it requests be granted; empty where nothing is denied
 * @param target what would let a node take it; empty unless it should leave its node and cannot
 * @param reasons its decisions and states, the newest first
 */
record Answer(String now, String helps, String target, List<Given> reasons) {
    /** The pattern of a time of less than an hour, as a sentence has it. */
    static final String TIME = "(\\d+ s|\\d+ min( \\d+ s)?)";

    /** One decision or state. */
    record Given(String kind, String text) {}

    static Answer of(JsonObject json) {
        var reasons = json.getJsonArray("reasons").stream()
                .map(JsonObject.class::cast)
                .map(reason -> new Given(reason.getString("kind"), reason.getString("reason")))
                .toList();
        var helps = json.getJsonObject("helps").getString("text");
        var target = json.getJsonObject("target").getString("text");
        return new Answer(json.getString("now"), helps, target, reasons);
    }

    /** Has at least one entry of each of these kinds. */
    static Predicate<Answer> with(String... kinds) {
        return answer ->
                Stream.of(kinds).noneMatch(kind -> answer.reasonsOf(kind).isEmpty());
    }

    /** The entries of a kind, in words. */
    List<String> reasonsOf(String kind) {
        return reasons.stream()
                .filter(reason -> reason.kind().equals(kind))
                .map(Given::text)
                .toList();
    }
}
