package io.sluice.ledger.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.wire.UnreadableMessageException;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: states, commands and replies survive encoding, and bytes that were received can do no more harm than be
 * refused.
 *
 * <p>Method: bytes that were written by the description of the format, not by the codecs.
 */
class WireContractTest {
    private static final long SEED = 20_261_121;
    private static final int GARBAGE_PER_SAMPLE = 2_000;
    private static final int GARBAGE_LENGTH_MAX = 300;

    static Stream<Sample<?>> samples() {
        return Stream.of(StateSamples.ALL, CommandSamples.ALL, ReplySamples.ALL).flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void readsTheFrozenBytesAtAnyOffset(Sample<?> sample) {
        var buffer = Buffer.buffer().appendInt(-1).appendBytes(sample.bytes());

        assertThat(sample.codec().decodeFromWire(Integer.BYTES, buffer)).isEqualTo(sample.message());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void writesTheFrozenBytesBehindWhatIsThere(Sample<?> sample) {
        assertWrites(sample);
    }

    private static <T> void assertWrites(Sample<T> sample) {
        var buffer = Buffer.buffer().appendInt(-1);
        sample.codec().encodeToWire(buffer, sample.message());

        assertThat(buffer.getBytes(Integer.BYTES, buffer.length())).isEqualTo(sample.bytes());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesANewerVersionByName(Sample<?> sample) {
        var bytes = sample.bytes().clone();
        int newest = sample.codec().version();
        bytes[0] = (byte) (newest + 1);

        assertThatThrownBy(() -> sample.codec().decode(Buffer.buffer(bytes)))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage(sample.codec().name() + ": version " + (newest + 1) + " found, versions "
                        + sample.codec().oldest() + " to " + newest + " can be read");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesAMessageCutAnywhere(Sample<?> sample) {
        for (int length = 0; length < sample.bytes().length; length++) {
            var cut = Buffer.buffer(Arrays.copyOf(sample.bytes(), length));
            assertThatThrownBy(() -> sample.codec().decode(cut))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(UnreadableMessageException.class)
                    .hasMessageStartingWith(sample.codec().name() + ": ");
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesBytesLeftOver(Sample<?> sample) {
        var longer = Buffer.buffer(sample.bytes()).appendByte((byte) 0);

        assertThatThrownBy(() -> sample.codec().decode(longer))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("1 bytes are left over");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void garbageIsReadOrRefusedAndNothingElse(Sample<?> sample) {
        var random = new Random(SEED);
        for (int i = 0; i < GARBAGE_PER_SAMPLE; i++) {
            var bytes = i % 2 == 0 ? noise(random, sample.codec().version()) : spoilt(random, sample.bytes());
            var thrown = catchThrowable(() -> sample.codec().decode(Buffer.buffer(bytes)));
            if (thrown != null) {
                assertThat(thrown).as("seed %d, garbage %d", SEED, i).isInstanceOf(UnreadableMessageException.class);
            }
        }
    }

    private static byte[] noise(Random random, int version) {
        var bytes = new byte[1 + random.nextInt(GARBAGE_LENGTH_MAX)];
        random.nextBytes(bytes);
        bytes[0] = (byte) version;
        return bytes;
    }

    private static byte[] spoilt(Random random, byte[] good) {
        var bytes = good.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    @Test
    void everyCommandHasFrozenBytes() {
        assertThat(classes(CommandSamples.ALL.stream().map(Sample::message)))
                .isEqualTo(cases(LedgerCommand.class).collect(Collectors.toSet()));
    }

    private static Set<Class<?>> classes(Stream<?> messages) {
        return messages.map(Object::getClass).collect(Collectors.toSet());
    }

    private static Stream<Class<?>> cases(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(WireContractTest::cases)
                : Stream.of(type);
    }
}
