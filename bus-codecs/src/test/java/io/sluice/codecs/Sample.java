package io.sluice.codecs;

import io.sluice.wire.WireCodec;
import java.util.HexFormat;

/** A message and its bytes in the version that is written today. */
record Sample<T>(String name, WireCodec<T> codec, T message, byte[] bytes) {
    /** Adds a sample; blanks in the bytes only separate the fields. */
    static <T> Sample<T> of(WireCodec<T> codec, T message, String hex) {
        var bytes = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        var name = codec.name() + " " + message.getClass().getSimpleName() + " v" + bytes[0];
        return new Sample<>(name, codec, message, bytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
