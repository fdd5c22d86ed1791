package io.sluice.billing.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.units.VmId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalingEventJsonTest {
    private static final Instant AT = Instant.parse("2025-03-04T05:06:07.123456789Z");
    private static final Optional<Double> NONE = Optional.empty();

    @Test
    void showsWhatAVmIsGiven() {
        var recorded = recorded(ScalingRecorded.Kind.ACTUAL, "ep-demo-1", AT, Optional.of(0.5), Optional.of(0.5), NONE);

        assertThat(line(recorded))
                .isEqualTo("{\"timestamp\":\"2025-03-04T05:06:07.123456789Z\",\"region\":\"eu-x\","
                        + "\"endpoint_id\":\"ep-demo-1\",\"kind\":\"actual\",\"current_cu\":250,\"target_cu\":500}");
    }

    @Test
    void showsWhatALoadNeedsWithThePartsThatWereComputed() {
        var at = Instant.parse("2025-03-04T05:06:09.5Z");
        var recorded =
                recorded(ScalingRecorded.Kind.HYPOTHETICAL, "ep-demo-1", at, Optional.of(0.61), Optional.of(0.4), NONE);

        assertThat(line(recorded))
                .isEqualTo("{\"timestamp\":\"2025-03-04T05:06:09.5Z\",\"region\":\"eu-x\","
                        + "\"endpoint_id\":\"ep-demo-1\",\"kind\":\"hypothetical\",\"current_cu\":250,"
                        + "\"target_cu\":500,\"goalComponents\":{\"cpu\":0.61,\"mem\":0.4}}");
    }

    @Test
    void showsTheFileCachesPartWhereThereIsOne() {
        var recorded = recorded(
                ScalingRecorded.Kind.HYPOTHETICAL, "", AT, Optional.of(1.0), Optional.of(0.0), Optional.of(12.25));

        assertThat(line(recorded))
                .contains("\"endpoint_id\":\"\"")
                .endsWith("\"goalComponents\":{\"cpu\":1,\"mem\":0,\"lfc\":12.25}}");
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.1",
        "0.30000000000000004, 0.30000000000000004",
        "100, 100",
        "1e-7, 0.0000001",
        "1.5e21, 1500000000000000000000",
        "NaN, ",
        "Infinity, "
    })
    void partsAreAsShortAsTheyAreExactAndAlwaysJson(double part, String expected) throws JsonProcessingException {
        var recorded = recorded(ScalingRecorded.Kind.HYPOTHETICAL, "ep", AT, Optional.of(part), NONE, NONE);

        var line = line(recorded);

        var components = expected == null ? "{}" : "{\"cpu\":" + expected + "}";
        assertThat(line).endsWith("\"goalComponents\":" + components + "}");
        assertThat(new ObjectMapper().readTree(line).size()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ep \"1\"", "two\nlines", "Größe 🐘", "\u2028"})
    void anEndpointMayBeCalledAnything(String endpoint) throws JsonProcessingException {
        var line = line(recorded(ScalingRecorded.Kind.ACTUAL, endpoint, AT, NONE, NONE, NONE));

        assertThat(line.chars()).as("one line of ASCII").allMatch(character -> character >= ' ' && character < 128);
        assertThat(new ObjectMapper().readTree(line).path("endpoint_id").textValue())
                .isEqualTo(endpoint);
    }

    private static ScalingRecorded recorded(
            ScalingRecorded.Kind kind,
            String endpoint,
            Instant at,
            Optional<Double> cpu,
            Optional<Double> memory,
            Optional<Double> lfc) {
        var vm = new VmId("neonvm", "ns", "vm", "u1");
        return new ScalingRecorded(kind, vm, endpoint, at, 250, 500, cpu, memory, lfc);
    }

    private static String line(ScalingRecorded recorded) {
        return new String(ScalingEventJson.write(recorded, "eu-x"), StandardCharsets.UTF_8);
    }
}
