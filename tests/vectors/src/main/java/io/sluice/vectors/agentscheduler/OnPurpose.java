package io.sluice.vectors.agentscheduler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Where Sluice's reply differs from the reference's on purpose, with the reply that it sends instead. */
enum OnPurpose {
    /** The reference stops reading after 1 KiB. */
    LONGER_BODY(
            "bodies of up to 16 KiB are read",
            exchange -> exchange.answer().body().equals("bad JSON")
                    && exchange.body().length() > 1024
                    && exchange.json().isPresent(),
            200,
            "\\{\"permit\".*"),
    /** The newest reference serves one version only. */
    OLDER_VERSION(
            "versions v3.0 and v4.0 are served too",
            exchange -> refusesVersion(exchange) && (version(exchange) == 5 || version(exchange) == 6),
            200,
            "\\{\"permit\".*"),
    /** A version that neither of them serves is refused with the range that Sluice serves. */
    OTHER_RANGE(
            "the refusal names the versions that are served here",
            exchange -> refusesVersion(exchange),
            400,
            "protocol version mismatch: need v3\\.0 to v5\\.0 but got .+"),
    /** The reference reads a negative amount as a huge unsigned one. */
    NEGATIVE_AMOUNT(
            "a negative amount is refused",
            exchange -> amount(exchange, "vCPUs").startsWith("-")
                    || amount(exchange, "mem").startsWith("-"),
            400,
            "resources\\.(vCPUs|mem) must not be negative"),
    /** The reference lets a VM shrink to nothing. */
    ZERO_AMOUNT(
            "an amount of zero is refused",
            exchange -> exchange.answer().status() == 200
                    && (amount(exchange, "vCPUs").equals("0")
                            || amount(exchange, "mem").equals("0")),
            400,
            "resources fields must be non-zero: (vCPUs|mem) must be non-zero"),
    /** The reference decides by annotations that another program has to copy. */
    NO_ROUND_TRIP(
            "the ledger decides alone and waits for no other program",
            exchange -> exchange.answer().body().equals("timed out waiting for updates to be processed"),
            200,
            "\\{\"permit\".*"),
    /** The reference detects that a VM is missing when it writes to it. */
    VM_NOT_KNOWN(
            "a VM that was not observed is requested again instead of being an error of the server",
            exchange -> exchange.answer().body().equals("failed to patch VM object"),
            503,
            "the pod's VM was not observed yet");

    private final String reason;
    private final Predicate<RecordedExchange> when;
    private final int status;
    private final Pattern body;

    OnPurpose(String reason, Predicate<RecordedExchange> when, int status, String body) {
        this.reason = reason;
        this.when = when;
        this.status = status;
        this.body = Pattern.compile(body);
    }

    /** The first reason that covers the exchange. */
    static Optional<OnPurpose> of(RecordedExchange exchange) {
        return Arrays.stream(values()).filter(one -> one.when.test(exchange)).findFirst();
    }

    String reason() {
        return reason;
    }

    /** Whether Sluice's reply is the intended one. */
    boolean allows(RecordedExchange.Answer ours) {
        return ours.status() == status && body.matcher(ours.body()).matches();
    }

    private static boolean refusesVersion(RecordedExchange exchange) {
        return exchange.answer().body().startsWith("protocol version mismatch: need v5.0 but got");
    }

    private static long version(RecordedExchange exchange) {
        return exchange.json().map(json -> json.path("protoVersion").asLong()).orElse(0L);
    }

    private static String amount(RecordedExchange exchange, String kind) {
        return exchange.json()
                .map(json -> json.path("resources").path(kind))
                .map(JsonNode::asText)
                .orElse("");
    }
}
