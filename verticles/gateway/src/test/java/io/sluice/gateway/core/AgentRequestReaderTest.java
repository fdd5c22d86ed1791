package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.AgentRequest.Speaker;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentRequestReaderTest {
    private static final WireAmount UNIT = new WireAmount(250, PodObservations.GI, false);
    private static final String GOOD = PodObservations.body("a", 2, "");

    @Test
    void readsWhatAnAgentSends() {
        assertThat(understood(GOOD))
                .isEqualTo(new AgentRequest(
                        "default",
                        "a-0",
                        UNIT,
                        new WireAmount(500, 2 * PodObservations.GI, false),
                        Optional.of(UNIT),
                        Optional.of(0.42f),
                        new Speaker.WithoutSession(),
                        Optional.empty()));
    }

    static Stream<Arguments> sameRequests() {
        return Stream.of(
                Arguments.of("numbers", GOOD.replace("\"500m\"", "0.5").replace("\"2Gi\"", "2147483648")),
                Arguments.of("exponent", GOOD.replace("\"500m\"", "5e-1")),
                Arguments.of(
                        "decimal string", GOOD.replace("\"500m\"", "\"0.5\"").replace("\"2Gi\"", "\"2097152Ki\"")),
                Arguments.of("other case", GOOD.replace("vCPUs", "vcpus").replace("protoVersion", "PROTOversion")),
                Arguments.of("trailing garbage", GOOD + " trailing }{"),
                Arguments.of("padding after", GOOD + " ".repeat(100_000)),
                Arguments.of(
                        "unknown fields",
                        PodObservations.body("a", 2, ",\"extra\":{\"a\":[1,{\"b\":2}]},\"session\":null")),
                Arguments.of("old metrics", GOOD.replace("0.42", "0.42,\"loadAvg5M\":0.4,\"memoryUsageBytes\":1000")),
                Arguments.of("version 6", GOOD.replace("n\":7", "n\":6")),
                Arguments.of("version 5 with quantities", GOOD.replace("n\":7", "n\":5")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sameRequests")
    void readsTheSameInOtherWords(String name, String body) {
        assertThat(understood(body)).isEqualTo(understood(GOOD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"lastPermit\":null", "\"LASTPERMIT\":null", "\"other\":1"})
    void takesAMissingPermitAndMissingMetricsForNone(String instead) {
        String body = GOOD.replace("\"lastPermit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"}", instead)
                .replace("{\"loadAvg1M\":0.42}", "null");
        assertThat(understood(body).lastPermit()).isEmpty();
        assertThat(understood(body).load1()).isEmpty();
    }

    @Test
    void countsBareMemoryInSlotsForAgentsOfOld() {
        var old = understood(GOOD.replace("n\":7", "n\":5").replace("\"2Gi\"", "2"));
        assertThat(old.target()).isEqualTo(new WireAmount(500, 2, true));
        assertThat(old.computeUnit()).isEqualTo(UNIT);
    }

    @Test
    void readsPodSpeaks() {
        assertThat(understood(PodObservations.body("a", 2, ",\"session\":3,\"seq\":9"))
                        .speaker())
                .isEqualTo(new Speaker.InSession("", 3, 9));
        assertThat(understood(PodObservations.body("a", 2, ",\"runner\":\"r1\""))
                        .speaker())
                .isEqualTo(new Speaker.Opening("r1", 0));
        assertThat(understood(PodObservations.body("a", 2, ",\"runner\":\"r1\",\"lastSession\":4"))
                        .speaker())
                .isEqualTo(new Speaker.Opening("r1", 4));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
        null                                        | invalid protocol version <invalid: zero>
        {}                                          | invalid protocol version <invalid: zero>
        {"protoVersion":0}                          | invalid protocol version <invalid: zero>
        {"protoVersion":4}                          | protocol version mismatch: need v3.0 to v5.0 but got v2.1
        {"protoVersion":1}                          | protocol version mismatch: need v3.0 to v5.0 but got v1.0
        {"protoVersion":8}                          | protocol version mismatch: need v3.0 to v5.0 but got <unknown = v5.0 + 1>
        {"protoVersion":4294967295}                 | protocol version mismatch: need v3.0 to v5.0 but got <unknown = v5.0 + 4294967288>
        {"protoVersion":"7"}                        | bad JSON: protoVersion must be a whole number that is not negative
        {"protoVersion":-1}                         | bad JSON: protoVersion must be a whole number that is not negative
        {"protoVersion":7.0}                        | bad JSON: protoVersion must be a whole number that is not negative
        {"protoVersion":99999999999999999999}       | bad JSON: protoVersion must be a whole number that is not negative
        {"protoVersion":7}                          | computeUnit fields must be non-zero: vCPUs must be non-zero
        {"protoVersion":7,"computeUnit":{"vCPUs":1}} | computeUnit fields must be non-zero: mem must be non-zero
        {"protoVersion":7,"computeUnit":{"vCPUs":1,"mem":1}} | resources fields must be non-zero: vCPUs must be non-zero
        {"protoVersion":7,"pod":3}                  | bad JSON: pod must be an object
        {"protoVersion":7,"pod":{"name":3}}         | bad JSON: pod.name must be a string
        {"protoVersion":7,"computeUnit":[]}         | bad JSON: computeUnit must be an object
        {"protoVersion":7,"metrics":{"loadAvg1M":"high"}} | bad JSON: metrics.loadAvg1M must be a number
        {"protoVersion":7,"metrics":{"loadAvg1M":1e99}} | bad JSON: metrics.loadAvg1M must be a number
        {"protoVersion":4,"metrics":7}              | bad JSON: metrics must be an object
        []                                          | bad JSON: the body must be an object
        7                                           | bad JSON: the body must be an object
        {"protoVersion":7                           | bad JSON: the body ends before the value does
        {"protoVersion":7,                          | bad JSON: the body does not start with a whole JSON value
        }                                           | bad JSON: the body does not start with a whole JSON value
        protoVersion=7                              | bad JSON: the body does not start with a whole JSON value
        """)
    void refuses(String body, String sentence) {
        assertThat(rejection(body)).isEqualTo(HttpAnswer.refusal(400, sentence));
    }

    @ParameterizedTest(name = "{0}, {1} -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
        -1          | 1      | resources.vCPUs must not be negative
        "-250m"     | 1      | resources.vCPUs must not be negative
        -1e-40      | 1      | resources.vCPUs must not be negative
        1           | -1     | resources.mem must not be negative
        1           | "-1Gi" | resources.mem must not be negative
        1           | -9e99  | bad JSON: resources.mem must be a whole number or a quantity such as 4Gi
        0           | 1      | resources fields must be non-zero: vCPUs must be non-zero
        1           | 0      | resources fields must be non-zero: mem must be non-zero
        1           | "0"    | resources fields must be non-zero: mem must be non-zero
        1e40        | 1      | resources.vCPUs is too large
        1e-40       | 1      | resources.vCPUs is too large
        1e16        | 1      | resources.vCPUs is too large
        1e99999999999 | 1    | bad JSON: the body does not start with a whole JSON value
        1e999999999 | 1      | resources.vCPUs is too large
        1           | 9223372036854775808 | resources.mem is too large
        "1Gi"       | 1      | resources.vCPUs counts CPUs, not bytes
        1           | "500m" | resources.mem counts bytes, not fractions of them
        1           | 1.5    | bad JSON: resources.mem must be a whole number or a quantity such as 4Gi
        "1 core"    | 1      | bad JSON: resources.vCPUs must be a number or a quantity such as 250m, and not beyond 64 bits
        true        | 1      | bad JSON: resources.vCPUs must be a number or a quantity such as 250m
        1           | "16Ei" | bad JSON: resources.mem must be a whole number or a quantity such as 4Gi, and not beyond 64 bits
        1           | ""     | bad JSON: resources.mem must be a whole number or a quantity such as 4Gi, and not beyond 64 bits
        1           | {}     | bad JSON: resources.mem must be a whole number or a quantity such as 4Gi
        """)
    @DisplayName("F23: negative, overflowing and mixed amounts are refused")
    void refusesAmounts(String cpu, String memory, String sentence) {
        String body = GOOD.replace("\"500m\"", cpu).replace("\"2Gi\"", memory);
        assertThat(rejection(body)).isEqualTo(HttpAnswer.refusal(400, sentence));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
        "session":3            | a session needs a seq
        "seq":3                | a seq needs a session
        "session":0,"seq":1    | session must be a whole number of at least 1
        "session":1,"seq":0    | seq must be a whole number of at least 1
        "session":"1","seq":1  | session must be a whole number of at least 1
        "session":1.5,"seq":1  | session must be a whole number of at least 1
        "runner":"gateway-1"   | runner must not be a name of gateways, which begin with gateway-
        "lastSession":3        | a lastSession needs a runner
        "runner":"r","lastSession":-1 | lastSession must be a whole number of at least 0
        "runner":7             | bad JSON: runner must be a string
        """)
    void refusesSpeakers(String fields, String sentence) {
        assertThat(rejection(PodObservations.body("a", 2, "," + fields))).isEqualTo(HttpAnswer.refusal(400, sentence));
    }

    @Test
    void refusesABodyThatIsCutAnywhere() {
        for (int length = 0; length < GOOD.length(); length++) {
            var answer = rejection(GOOD.substring(0, length));
            assertThat(answer.status()).as("cut at %d", length).isEqualTo(400);
            assertThat(answer.body()).as("cut at %d", length).startsWith("bad JSON: ");
        }
    }

    @Test
    void refusesBombs() {
        assertThat(rejection("[".repeat(10_000)).body())
                .isEqualTo("bad JSON: it is nested too deeply, or a number in it is too long");
        assertThat(rejection(PodObservations.body("a", 2, ",\"x\":" + "{\"x\":".repeat(100) + "1" + "}".repeat(100)))
                        .body())
                .isEqualTo("bad JSON: it is nested too deeply, or a number in it is too long");
        assertThat(rejection(PodObservations.body("a", 2, ",\"x\":" + "9".repeat(5000)))
                        .body())
                .isEqualTo("bad JSON: it is nested too deeply, or a number in it is too long");
        assertThat(rejection(PodObservations.body("a", 2, ",\"x\":\"" + "x".repeat(20_000) + "\""))
                        .body())
                .isEqualTo("bad JSON: the value does not end within 16384 bytes");
    }

    @Test
    void takesAValueThatEndsJustWithinTheBound() {
        String pad = "x"
                .repeat(AgentRequestReader.VALUE_BYTES_MAX
                        - PodObservations.body("a", 2, ",\"pad\":\"\"").length());
        assertThat(understood(PodObservations.body("a", 2, ",\"pad\":\"" + pad + "\"")))
                .isEqualTo(understood(GOOD));
        assertThat(rejection(PodObservations.body("a", 2, ",\"pad\":\"" + pad + "x\""))
                        .status())
                .isEqualTo(400);
    }

    /** Whatever arrives, there is a reply in words and no exception. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void answersAnyBytes(long seed) {
        var random = new Random(seed);
        byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = round % 5 == 0 ? new byte[random.nextInt(300)] : good.clone();
            if (round % 5 == 0) {
                random.nextBytes(bytes);
            } else {
                for (int hit = random.nextInt(4); hit >= 0; hit--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
            }
            if (AgentRequestReader.read(bytes) instanceof BodyResult.Rejected(var answer, boolean isRequest)) {
                assertThat(isRequest).isEqualTo(!answer.body().startsWith("bad JSON: "));
                assertThat(answer.status()).as("seed %d round %d", seed, round).isEqualTo(400);
                assertThat(answer.body())
                        .as("seed %d round %d", seed, round)
                        .isNotBlank()
                        .matches("[ -~]+");
            }
        }
    }

    private static AgentRequest understood(String body) {
        var reading = AgentRequestReader.read(body.getBytes(StandardCharsets.UTF_8));
        assertThat(reading).isInstanceOf(BodyResult.Understood.class);
        return ((BodyResult.Understood) reading).request();
    }

    private static HttpAnswer rejection(String body) {
        var reading = AgentRequestReader.read(body.getBytes(StandardCharsets.UTF_8));
        assertThat(reading).isInstanceOf(BodyResult.Rejected.class);
        return ((BodyResult.Rejected) reading).answer();
    }
}
