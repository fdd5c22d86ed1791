package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import java.util.HexFormat;

/**
 * A message beside the bytes that stand for it in one version. The bytes stay as they are for ever: members of an older
 * release send them.
 *
 * @param newest whether this is how the message is written today; of older versions it is only read
 */
record Sample<T>(String name, WireCodec<T> codec, T message, byte[] bytes, boolean newest) {
    /** One more sample of what is written today; blanks in the bytes only part the fields. */
    static <T> Sample<T> of(WireCodec<T> codec, T message, String bytes) {
        return sample(codec, message, bytes, true);
    }

    /** One more sample of what an older release writes, beside what is read from it today. */
    static <T> Sample<T> old(WireCodec<T> codec, T message, String bytes) {
        return sample(codec, message, bytes, false);
    }

    private static <T> Sample<T> sample(WireCodec<T> codec, T message, String hex, boolean newest) {
        var bytes = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        var name = codec.name() + " " + message.getClass().getSimpleName() + " v" + bytes[0];
        return new Sample<>(name, codec, message, bytes, newest);
    }

    @Override
    public String toString() {
        return name;
    }
}
