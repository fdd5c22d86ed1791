package io.sluice.gateway.console;

import io.sluice.gateway.core.console.Reason;
import io.sluice.gateway.core.console.Why;
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
                .array("reasons", why.reasons(), WhyJson::reason);
    }

    /** Writes one element of a list of decisions. */
    static void reason(JsonText json, Reason reason) throws IOException {
        json.open(fields -> fields.time("at", reason.at())
                .time("until", reason.until())
                .text("kind", reason.kind())
                .text("node", reason.node())
                .text("toNode", reason.toNode())
                .text("vm", reason.vm())
                .amount("from", reason.from())
                .amount("to", reason.to())
                .text("reason", reason.text()));
    }
}
