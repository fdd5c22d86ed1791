package io.sluice.codecs;

import io.sluice.hostile.Fuzz;
import io.sluice.hostile.Mutator;
import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Frames of the bus for the codec of each message: it reads them and writes them again, or refuses them as unreadable.
 */
@Isolated("measures what the heap keeps")
class BusFuzzTest {
    private static final List<Sample<?>> SAMPLES = Stream.of(
                    ClusterSamples.ALL,
                    LedgerSamples.ALL,
                    MovingSamples.ALL,
                    VmSamples.ALL,
                    MemberSamples.ALL,
                    BillingSamples.ALL)
            .flatMap(List::stream)
            .toList();
    private static final int BYTES_MAX = 16 << 10;

    /** An input is the number of a codec and then a frame. */
    private static final class Frames implements Fuzz.Target {
        private final List<WireCodec<?>> codecs = List.copyOf(SAMPLES.stream()
                .collect(Collectors.toMap(sample -> sample.codec().name(), Sample::codec, (one, other) -> one))
                .values());
        private final Map<String, Integer> numbers =
                codecs.stream().collect(Collectors.toMap(WireCodec::name, codecs::indexOf));

        private byte[] numbered(Sample<?> sample) {
            return Buffer.buffer()
                    .appendByte(numbers.get(sample.codec().name()).byteValue())
                    .appendBytes(sample.bytes())
                    .getBytes();
        }

        @Override
        public boolean play(byte[] input, RandomGenerator random) {
            int number = input.length == 0 ? 0 : Byte.toUnsignedInt(input[0]);
            return readAgain(codecs.get(number % codecs.size()), Buffer.buffer(input), Math.min(1, input.length));
        }

        private static <T> boolean readAgain(WireCodec<T> codec, Buffer frame, int at) {
            try {
                var message = codec.decodeFromWire(at, frame);
                if (!codec.decode(codec.encode(message)).equals(message)) {
                    throw new IllegalStateException(message + " is another one once it was written");
                }
                return true;
            } catch (UnreadableMessageException refused) {
                return false;
            }
        }

        @Override
        public Object state() {
            return SAMPLES.stream().map(Frames::read).toList();
        }

        private static Object read(Sample<?> sample) {
            return sample.codec().decode(Buffer.buffer(sample.bytes()));
        }
    }

    @Test
    void aFrameIsReadOrRefusedAndNothingElse() throws Exception {
        var frames = new Frames();
        var corpus = SAMPLES.stream().map(frames::numbered).toList();
        Fuzz.play("bus frames", 36, new Mutator(corpus, List.of(), BYTES_MAX), frames);
    }
}
