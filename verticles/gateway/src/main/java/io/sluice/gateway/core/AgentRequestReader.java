package io.sluice.gateway.core;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.gateway.core.AgentRequest.Speaker;
import io.sluice.messages.ledger.permit.OpenSession;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the bytes of a request, and returns the request or the refusal for the client. No input makes it throw.
 *
 * <p>Only the first JSON value counts; what follows it is ignored.
 */
final class AgentRequestReader {
    /** The value has to end within this many bytes. */
    static final int VALUE_BYTES_MAX = 16 * 1024;

    private static final int DEPTH_MAX = 64;
    private static final int NUMBER_LENGTH_MAX = 100;
    private static final int RUNNER_LENGTH_MAX = 128;
    private static final ObjectReader JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_LENGTH_MAX)
                            .maxStringLength(VALUE_BYTES_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .reader();

    private AgentRequestReader() {}

    /** Reads a body; of a longer one, its first {@link #VALUE_BYTES_MAX} bytes. */
    static BodyResult read(byte[] body) {
        int length = Math.min(body.length, VALUE_BYTES_MAX);
        JsonNode root;
        try {
            root = JSON.readTree(new String(body, 0, length, StandardCharsets.UTF_8));
        } catch (JsonEOFException early) {
            return badJson(
                    body.length >= VALUE_BYTES_MAX
                            ? "the value does not end within " + VALUE_BYTES_MAX + " bytes"
                            : "the body ends before the value does");
        } catch (StreamConstraintsException bomb) {
            return badJson("it is nested too deeply, or a number in it is too long");
        } catch (JsonProcessingException | NumberFormatException garbage) {
            return badJson("the body does not start with a whole JSON value");
        }
        if (root.isMissingNode()) {
            return badJson("the body is empty");
        }
        if (!root.isObject() && !root.isNull()) {
            return badJson("the body must be an object");
        }
        return request(root);
    }

    private static BodyResult request(JsonNode root) {
        var fields = new JsonFields();
        long version = version(fields, root);
        boolean slots = ProtocolVersion.countsSlots(version);
        var pod = fields.object(root, "pod");
        var lastPermit = fields.object(root, "lastPermit");
        var request = new AgentRequest(
                fields.text(pod, "namespace", "pod.namespace"),
                fields.text(pod, "name", "pod.name"),
                fields.amount(fields.object(root, "computeUnit"), "computeUnit", slots),
                fields.amount(fields.object(root, "resources"), "resources", slots),
                lastPermit.isObject() ? Optional.of(fields.amount(lastPermit, "lastPermit", slots)) : Optional.empty(),
                load1(fields, root),
                speaker(fields, root),
                use(fields, root, slots));
        return judged(request, version, fields);
    }

    /** The order is the protocol's: form, version, unit, then the fields that Sluice adds. */
    private static BodyResult judged(AgentRequest request, long version, JsonFields fields) {
        if (fields.malformed().isPresent()) {
            return badJson(fields.malformed().get());
        }
        if (!ProtocolVersion.isServed(version)) {
            return rejected(ProtocolVersion.refusal(version));
        }
        if (fields.refused().isPresent()) {
            return rejected(fields.refused().get());
        }
        return zeroIn("computeUnit", request.computeUnit())
                .or(() -> zeroIn("resources", request.target()))
                .map(AgentRequestReader::rejected)
                .orElseGet(() -> new BodyResult.Understood(request));
    }

    private static long version(JsonFields fields, JsonNode root) {
        var node = fields.field(root, "protoVersion");
        if (node.isMissingNode()) {
            return 0;
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong() || !ProtocolVersion.isNumber(node.asLong())) {
            fields.malformed("protoVersion must be a whole number that is not negative");
            return 0;
        }
        return node.asLong();
    }

    private static Optional<Float> load1(JsonFields fields, JsonNode root) {
        var node = fields.field(fields.object(root, "metrics"), "loadAvg1M");
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        if (!node.isNumber() || !Float.isFinite(node.floatValue())) {
            fields.malformed("metrics.loadAvg1M must be a number");
            return Optional.empty();
        }
        if (node.floatValue() < 0) {
            fields.refused("metrics.loadAvg1M must not be negative");
        }
        return Optional.of(node.floatValue());
    }

    /** Both or neither. */
    private static Optional<AgentRequest.Use> use(JsonFields fields, JsonNode root, boolean slots) {
        var inUse = fields.object(root, "inUse");
        var exposure = fields.object(root, "exposure");
        if (inUse.isObject() != exposure.isObject()) {
            fields.refused(inUse.isObject() ? "inUse needs an exposure" : "exposure needs an inUse");
        }
        return inUse.isObject() && exposure.isObject()
                ? Optional.of(new AgentRequest.Use(
                        fields.amount(inUse, "inUse", slots), fields.amount(exposure, "exposure", slots)))
                : Optional.empty();
    }

    private static Speaker speaker(JsonFields fields, JsonNode root) {
        var session = fields.whole(root, "session", 1);
        var seq = fields.whole(root, "seq", 1);
        var lastSession = fields.whole(root, "lastSession", 0);
        String runner = fields.text(root, "runner", "runner");
        if (session.isPresent() != seq.isPresent()) {
            fields.refused(session.isPresent() ? "a session needs a seq" : "a seq needs a session");
        }
        if (runner.length() > RUNNER_LENGTH_MAX) {
            fields.refused("runner must have at most " + RUNNER_LENGTH_MAX + " characters");
        }
        if (OpenSession.byGateway(runner)) {
            fields.refused("runner must not be a name of gateways, which begin with " + OpenSession.gateway(""));
        }
        if (session.isPresent()) {
            return new Speaker.InSession(runner, session.get(), seq.orElse(1L));
        }
        if (runner.isBlank()) {
            if (lastSession.isPresent()) {
                fields.refused("a lastSession needs a runner");
            }
            return new Speaker.WithoutSession();
        }
        return new Speaker.Opening(runner, lastSession.orElse(0L));
    }

    private static Optional<String> zeroIn(String field, WireAmount amount) {
        if (amount.milliCpu() == 0) {
            return Optional.of(field + " fields must be non-zero: vCPUs must be non-zero");
        }
        return amount.memory() == 0
                ? Optional.of(field + " fields must be non-zero: mem must be non-zero")
                : Optional.empty();
    }

    private static BodyResult badJson(String why) {
        return new BodyResult.Rejected(HttpAnswer.refusal(400, "bad JSON: " + why), false);
    }

    private static BodyResult rejected(String sentence) {
        return new BodyResult.Rejected(HttpAnswer.refusal(400, sentence), true);
    }
}
