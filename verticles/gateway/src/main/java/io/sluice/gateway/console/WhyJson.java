package io.sluice.gateway.console;

import io.sluice.gateway.core.console.Why;
import io.sluice.shell.explain.Explanation;
import java.io.IOException;

/** The JSON of an explanation, for the console and the command line. */
final class WhyJson {
    private WhyJson() {}

    /**
     * Returns the fields of a reply.
     *
     * @param what {@code vm} or {@code node}
     */
    static JsonText.Content of(String what, Why.Known why) {
        return json -> json.object("subject", subject -> subject.text(what, why.subject()))
                .text("now", why.sentence())
                .time("since", why.since())
                .array("reasons", why.reasons(), WhyJson::entry);
    }

    /** Writes one entry of a list of decisions. */
    static void entry(JsonText json, Explanation entry) throws IOException {
        json.open(fields -> fields.time("since", entry.since())
                .time("at", entry.at())
                .time("until", entry.until())
                .text("kind", entry.kind())
                .number("count", entry.count())
                .text("repeats", entry.repeats())
                .text("node", entry.node())
                .text("toNode", entry.toNode())
                .text("vm", entry.vm())
                .amount("from", entry.from())
                .amount("to", entry.to())
                .text("reason", entry.cause()));
    }
}
