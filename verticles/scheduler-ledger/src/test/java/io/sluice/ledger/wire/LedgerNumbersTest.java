package io.sluice.ledger.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.state.Contact;
import io.sluice.wire.WireEnum;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerNumbersTest {
    /** A constant may be added or renamed; the numbers in this list never change. */
    static Stream<Arguments> frozen() {
        return Stream.of(
                Arguments.of(
                        LedgerNumbers.CONTACT,
                        Contact.values(),
                        Map.of(
                                Contact.RECOVERED, 1,
                                Contact.RECLAIMED, 2,
                                Contact.FOUND, 3,
                                Contact.REQUESTED, 4,
                                Contact.SWITCHED_OFF, 5,
                                Contact.EXPOSED, 6)),
                Arguments.of(
                        LedgerNumbers.OBSERVATION_REPLY,
                        ObservationReply.values(),
                        Map.of(
                                ObservationReply.TAKEN,
                                1,
                                ObservationReply.KNOWN,
                                2,
                                ObservationReply.DROPPED,
                                3,
                                ObservationReply.OVERFLOW,
                                4,
                                ObservationReply.POD_MISSING,
                                5)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("frozen")
    <E extends Enum<E>> void everyConstantKeepsItsNumber(WireEnum<E> table, E[] constants, Map<E, Integer> numbers) {
        assertThat(numbers).containsOnlyKeys(constants);
        numbers.forEach((constant, number) -> {
            assertThat(table.number(constant)).isEqualTo(number);
            assertThat(table.constant(number)).contains(constant);
        });
    }
}
