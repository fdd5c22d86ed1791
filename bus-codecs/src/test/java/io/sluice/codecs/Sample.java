package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import java.util.HexFormat;

/**
 * A message beside the bytes that stand for it in version 1. The bytes stay as they are for ever: members of an older
 * release send them.
 */
record Sample<T>(String name, WireCodec<T> codec, T message, byte[] v1) {
    /** One more sample; blanks in the bytes only part the fields. */
    static <T> Sample<T> of(WireCodec<T> codec, T message, String v1) {
        var name = codec.name() + " " + message.getClass().getSimpleName();
        return new Sample<>(name, codec, message, HexFormat.of().parseHex(v1.replaceAll("\\s", "")));
    }

    @Override
    public String toString() {
        return name;
    }
}
