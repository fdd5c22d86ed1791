package io.sluice.agent.scheduler.core;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Parses the responses of schedulers, Sluice's and the reference's. No response makes it throw. */
public final class AnswerReader {
    /** The most bytes of a response that are read; no valid one is longer. */
    public static final int BODY_BYTES_MAX = 16 * 1024;

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int WORDS_MAX = 200;
    private static final int SECONDS_DIGITS_MAX = 9;
    private static final int EXPONENT_MAX = 30;
    private static final Duration VALID_MOST = Duration.ofHours(1);
    private static final ObjectReader JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(32)
                            .maxNumberLength(64)
                            .maxStringLength(BODY_BYTES_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .reader();

    private AnswerReader() {}

    /**
     * What a response means.
     *
     * @param retryAfter the header of that name, unparsed
     */
    public static SchedulerAnswer read(int status, Optional<String> retryAfter, byte[] body) {
        if (status == OK) {
            return permit(body);
        }
        var words = words(body);
        var folded = words.toLowerCase(Locale.ROOT);
        if (status == BAD_REQUEST && folded.contains("protocol version")) {
            return new SchedulerAnswer.VersionRefused(words);
        }
        if (status == CONFLICT && folded.startsWith("superseded")) {
            return new SchedulerAnswer.Superseded();
        }
        if (status == CONFLICT && folded.startsWith("open again")) {
            return new SchedulerAnswer.OpenAgain();
        }
        if (status == NOT_FOUND && folded.startsWith("pod")) {
            return new SchedulerAnswer.PodUnknown();
        }
        return new SchedulerAnswer.Refused(status, words, retryAfter.flatMap(AnswerReader::seconds));
    }

    private static SchedulerAnswer permit(byte[] body) {
        try {
            var root = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            var permit = field(root, "permit");
            if (!permit.isObject()) {
                return new SchedulerAnswer.Unreadable("it answered 200 without a permit");
            }
            var migrate = field(root, "migrate");
            if (!migrate.isMissingNode() && !migrate.isObject()) {
                return new SchedulerAnswer.Unreadable("its migrate is not an object");
            }
            return new SchedulerAnswer.Permit(
                    new Resources(milliCpu(field(permit, "vCPUs")), bytes(field(permit, "mem"))),
                    migrate.isObject(),
                    session(field(root, "session")),
                    validFor(field(root, "validFor")),
                    field(root, "recovered").asBoolean(false),
                    RulingFields.read(field(field(root, "ruling"), "cpu")),
                    RulingFields.read(field(field(root, "ruling"), "mem")));
        } catch (JsonProcessingException | NumberFormatException garbage) {
            return new SchedulerAnswer.Unreadable("it answered 200 without JSON");
        } catch (IllegalArgumentException wrong) {
            return new SchedulerAnswer.Unreadable("its response is invalid: " + wrong.getMessage());
        }
    }

    /** The field of that name, in any case; a missing node if there is none or it is null. */
    static JsonNode field(JsonNode object, String name) {
        JsonNode found = MissingNode.getInstance();
        for (var entry : object.properties()) {
            if (entry.getKey().equalsIgnoreCase(name) && !entry.getValue().isNull()) {
                found = entry.getValue();
            }
        }
        return found;
    }

    private static long milliCpu(JsonNode node) {
        if (node.isNumber()) {
            return countable(node.decimalValue().movePointRight(3), "permit.vCPUs");
        }
        return Quantities.milliCpu(text(node, "permit.vCPUs"));
    }

    private static long bytes(JsonNode node) {
        if (node.isNumber()) {
            return countable(node.decimalValue(), "permit.mem");
        }
        return Quantities.bytes(text(node, "permit.mem"));
    }

    private static long countable(BigDecimal number, String field) {
        boolean counted = number.signum() >= 0
                && Math.abs((long) number.precision() - number.scale()) <= EXPONENT_MAX
                && number.toBigInteger().bitLength() < Long.SIZE;
        if (!counted) {
            throw new IllegalArgumentException(field + " is not a valid amount");
        }
        return number.longValue();
    }

    private static String text(JsonNode node, String field) {
        if (!node.isTextual()) {
            throw new IllegalArgumentException(field + " is neither a number nor a quantity");
        }
        return node.asText();
    }

    private static OptionalLong session(JsonNode node) {
        if (node.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong() || node.asLong() < 1) {
            throw new IllegalArgumentException("session is not a valid number");
        }
        return OptionalLong.of(node.asLong());
    }

    private static Optional<Duration> validFor(JsonNode node) {
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        double seconds = node.asDouble(-1);
        if (!node.isNumber() || !(seconds >= 0)) {
            throw new IllegalArgumentException("validFor is not a number of seconds");
        }
        return Optional.of(Duration.ofMillis((long) Math.min(seconds * 1000, VALID_MOST.toMillis())));
    }

    private static Optional<Duration> seconds(String header) {
        var text = header.strip();
        boolean number = !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
        if (!number) {
            return Optional.empty();
        }
        return Optional.of(
                text.length() > SECONDS_DIGITS_MAX ? RetryGate.WAIT_MAX : Duration.ofSeconds(Long.parseLong(text)));
    }

    /** The beginning of a server's error text as one line, without control characters. */
    private static String words(byte[] body) {
        var text = new String(body, 0, Math.min(body.length, WORDS_MAX), StandardCharsets.UTF_8);
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }
}
