package io.sluice.ledger.wire;

import io.sluice.wire.WireCodec;
import java.util.HexFormat;

/**
 * A message with its bytes in a version of the format. The bytes never change: processes of an older release send and
 * have stored them.
 */
record Sample<T>(String name, WireCodec<T> codec, T message, byte[] bytes) {
    /** Creates a sample; blanks in the bytes only separate the fields. */
    static <T> Sample<T> of(String name, WireCodec<T> codec, T message, String bytes) {
        return new Sample<>(name, codec, message, HexFormat.of().parseHex(bytes.replaceAll("\\s", "")));
    }

    @Override
    public String toString() {
        return codec.name() + " " + name;
    }
}
