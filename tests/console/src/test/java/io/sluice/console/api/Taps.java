package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Messages as the tap sends them. */
public final class Taps {
    private static final List<String> ADDRESSES = List.of(
            "ledger.permit", "ledger.permit", "vm.patch", "agent.status", "ledger.node-changed", "monitor.downscale");
    private static final List<String> KINDS = List.of("request", "reply", "request", "event", "event", "request");

    private Taps() {}

    /** The message of that number: addresses and kinds take turns, and every eleventh failed. */
    public static ObjectNode message(int number) {
        int turn = number % ADDRESSES.size();
        boolean reply = KINDS.get(turn).equals("reply");
        var message = SyntheticFleet.JSON
                .objectNode()
                .put("at", System.currentTimeMillis())
                .put("address", ADDRESSES.get(turn))
                .put("kind", KINDS.get(turn))
                .put("direction", number % 2 == 0 ? "out" : "in")
                .put("bytes", 80 + number % 700)
                .put("vm", turn == 4 ? "" : "default/catalog")
                .put("node", "node-a");
        if (reply) {
            message.put("latencyMicros", 180 + 97L * (number % 40));
        } else {
            message.putNull("latencyMicros");
        }
        if (number % 11 == 10) {
            message.put("failed", "TIMEOUT: no answer in 1s");
        } else {
            message.putNull("failed");
        }
        var body = message.putObject("body").put("seq", number).put("reason", "goal 7 CU: cpu needs 6.91 (load1 1.64)");
        body.put("target", "1750m/7Gi");
        body.putObject("vm").put("driver", "neonvm").put("namespace", "default").put("name", "catalog");
        return message;
    }
}
