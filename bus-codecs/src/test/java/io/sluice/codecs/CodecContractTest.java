package io.sluice.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.bus.Catalogue;
import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: every message is equal after encoding and decoding, and bytes on the wire can do no more harm than to be
 * refused.
 *
 * <p>Method: each codec writes to and reads from real buffers here, which members of one process never do.
 */
class CodecContractTest {
    private static final long SEED = 20_261_121;
    private static final int GARBAGE_PER_SAMPLE = 2_000;
    private static final int GARBAGE_LENGTH_MAX = 300;

    static Stream<Sample<?>> samples() {
        return Stream.of(
                        ClusterSamples.ALL,
                        LedgerSamples.ALL,
                        MovingSamples.ALL,
                        PodSamples.ALL,
                        PlacementSamples.ALL,
                        VmSamples.ALL,
                        MemberSamples.ALL,
                        WorkerSamples.ALL,
                        BillingSamples.ALL)
                .flatMap(List::stream);
    }

    /** The bytes of versions that their codecs no longer read. */
    static Stream<Sample<?>> narrowed() {
        return samples().filter(sample -> sample.codec().oldest() > 1);
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
        assertThat(sample.codec().decode(sample.codec().encode(sample.message())))
                .isEqualTo(sample.message());
    }

    @ParameterizedTest
    @MethodSource("samples")
    @DisplayName("F22: every message of a newer version is refused by name")
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
    @MethodSource("narrowed")
    void refusesAVersionThatIsNotReadAnyMoreByName(Sample<?> sample) {
        int dropped = sample.codec().oldest() - 1;
        var bytes = sample.bytes().clone();
        bytes[0] = (byte) dropped;

        assertThatThrownBy(() -> sample.codec().decode(Buffer.buffer(bytes)))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageStartingWith(sample.codec().name() + ": version " + dropped + " found, ");
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
            var bytes = i % 2 == 0 ? noise(random) : spoilt(random, sample.bytes());
            var thrown = catchThrowable(() -> sample.codec().decode(Buffer.buffer(bytes)));
            if (thrown != null) {
                assertThat(thrown).as("seed %d, garbage %d", SEED, i).isInstanceOf(UnreadableMessageException.class);
            }
        }
    }

    private static byte[] noise(Random random) {
        var bytes = new byte[1 + random.nextInt(GARBAGE_LENGTH_MAX)];
        random.nextBytes(bytes);
        bytes[0] = 1;
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
    void everyCodecAndEveryCaseHasFrozenBytes() {
        var sampled = new HashMap<String, Set<Class<?>>>();
        samples()
                .forEach(sample -> sampled.computeIfAbsent(sample.codec().name(), name -> new HashSet<>())
                        .add(sample.message().getClass()));

        for (var codec : Catalogue.codecs()) {
            assertThat(sampled).as("samples").containsEntry(codec.name(), cases(messageOf(codec)));
        }
        assertThat(sampled).hasSameSizeAs(Catalogue.codecs());
    }

    private static Class<?> messageOf(WireCodec<?> codec) {
        var parent = (ParameterizedType) codec.getClass().getGenericSuperclass();
        return (Class<?>) parent.getActualTypeArguments()[0];
    }

    private static Set<Class<?>> cases(Class<?> message) {
        return message.isSealed() ? Set.of(message.getPermittedSubclasses()) : Set.of(message);
    }
}
