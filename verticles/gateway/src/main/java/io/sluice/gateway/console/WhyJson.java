package io.sluice.gateway.console;

import io.sluice.gateway.core.console.Why;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.shell.explain.Explanation;
import io.sluice.shell.explain.GrantText;
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
        return json -> json.object("subject", subject -> subject(subject, what, why))
                .text("now", why.sentence())
                .time("since", why.since())
                .array("reasons", why.reasons(), WhyJson::entry)
                .object("helps", to -> helps(to, why.nearest(), GrantText.sentence(why.nearest())))
                .object("target", to -> helps(to, why.target(), GrantText.target(why.target())))
                .text("stays", why.stays());
    }

    private static void subject(JsonText json, String what, Why.Known why) throws IOException {
        json.text(what, why.subject());
        if (!why.driver().isEmpty()) {
            json.text("driver", why.driver());
        }
    }

    private static void helps(JsonText json, NearestGrant nearest, String sentence) throws IOException {
        json.text("sufficiency", nearest.sufficiency().name())
                .text("text", sentence)
                .array(
                        "changes",
                        nearest.changes(),
                        (to, change) -> to.open(
                                fields -> fields.text("kind", change.kind().name())
                                        .text("node", change.node())
                                        .amount("amount", change.room())
                                        .text("others", change.fixed().toString())
                                        .text("subject", change.subject())
                                        .text("text", GrantText.change(change))));
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
