package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WireReaderTest {
    private enum Colour {
        RED,
        BLUE
    }

    private static final WireEnum<Colour> COLOURS = new WireEnum<>(Colour.class, colour -> switch (colour) {
        case RED -> 7;
        case BLUE -> 3;
    });

    private static WireReader reading(Buffer buffer) {
        return new WireReader(buffer, 0, "test.thing");
    }

    private static WireWriter writing(Buffer buffer) {
        return new WireWriter(buffer, "test.thing");
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("an endless text", Buffer.buffer().appendInt(-1), "at most 65536 bytes, not 4294967295"),
                Arguments.of(
                        "a text beyond the end", Buffer.buffer().appendInt(2).appendByte((byte) 65), "it ends where"),
                Arguments.of(
                        "a text of no UTF-8", Buffer.buffer().appendInt(1).appendByte((byte) 0xC3), "is not UTF-8"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void refusesAMalformedText(String name, Buffer bytes, String words) {
        assertThatThrownBy(() -> reading(bytes).text())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageStartingWith("test.thing: ")
                .hasMessageContaining(words);
    }

    @Test
    void readsTheReplacementCharacterWhereItWasWritten() {
        var buffer = Buffer.buffer();
        writing(buffer).text("a\uFFFDb");

        assertThat(reading(buffer).text()).isEqualTo("a\uFFFDb");
    }

    @Test
    void refusesAListLongerThanItsBytes() {
        assertThatThrownBy(() -> reading(Buffer.buffer().appendInt(90_000)).list(WireReader::u8))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("90000 more bytes");
        assertThatThrownBy(() -> reading(Buffer.buffer().appendInt(100_001)).list(WireReader::u8))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("at most 100000 elements, not 100001");
    }

    @Test
    void refusesWhatIsNeitherYesNorNo() {
        assertThatThrownBy(() -> reading(Buffer.buffer().appendByte((byte) 2)).bool())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage("test.thing: a boolean is 1 or 0, not 2");
    }

    @Test
    void refusesMoreNanosecondsThanASecondHas() {
        assertThatThrownBy(() -> reading(Buffer.buffer().appendLong(1).appendInt(1_000_000_000))
                        .duration())
                .isInstanceOf(UnreadableMessageException.class);
    }

    @Test
    void carriesDurationsOfEitherSign() {
        var durations = List.of(Duration.ofMillis(-1), Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
        var buffer = Buffer.buffer();
        writing(buffer).list(durations, WireWriter::duration);

        assertThat(reading(buffer).list(WireReader::duration)).isEqualTo(durations);
    }

    @Test
    void carriesInstantsAndRefusesOnesThatNoCalendarHas() {
        var instants = List.of(Instant.MIN, Instant.EPOCH.minusNanos(1), Instant.EPOCH, Instant.MAX);
        var buffer = Buffer.buffer();
        writing(buffer).list(instants, WireWriter::instant);

        assertThat(reading(buffer).list(WireReader::instant)).isEqualTo(instants);
        assertThatThrownBy(
                        () -> reading(Buffer.buffer().appendLong(Long.MAX_VALUE).appendInt(0))
                                .instant())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("an instant cannot be " + Long.MAX_VALUE + " s away");
    }

    @Test
    void writesNothingThatItWouldNotRead() {
        var tooLong = "x".repeat(WireWriter.TEXT_BYTES_MAX + 1);
        assertThatThrownBy(() -> writing(Buffer.buffer()).text(tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("test.thing: a text has at most 65536 bytes, not 65537");

        var tooMany = Collections.nCopies(WireWriter.LIST_MAX + 1, 1);
        assertThatThrownBy(() -> writing(Buffer.buffer()).list(tooMany, WireWriter::u8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("test.thing: a list has at most 100000 elements, not 100001");
    }

    @Test
    void anEnumsNumberIsNotItsOrdinal() {
        var buffer = Buffer.buffer();
        writing(buffer).constant(COLOURS, Colour.RED);

        assertThat(buffer.getByte(0)).isEqualTo((byte) 7);
        assertThat(reading(buffer).constant(COLOURS)).isEqualTo(Colour.RED);
        assertThatThrownBy(() -> reading(Buffer.buffer().appendByte((byte) 0)).constant(COLOURS))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage("test.thing: Colour has no number 0");
    }

    @Test
    void twoConstantsNeverShareANumber() {
        assertThatThrownBy(() -> new WireEnum<>(Colour.class, colour -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Colour: RED and BLUE both have number 1");
    }
}
