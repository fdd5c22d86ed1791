package io.sluice.ledger.wire;

import io.sluice.bus.WireCodec;
import java.util.HexFormat;

/**
 * A message beside the bytes that stand for it in version 1. The bytes stay as they are for ever: processes of an older
 * release send them, and have kept them.
 */
record Sample<T>(String name, WireCodec<T> codec, T message, byte[] bytes) {
    /** One more sample; blanks in the bytes only part the fields. */
    static <T> Sample<T> of(String name, WireCodec<T> codec, T message, String bytes) {
        return new Sample<>(name, codec, message, HexFormat.of().parseHex(bytes.replaceAll("\\s", "")));
    }

    @Override
    public String toString() {
        return codec.name() + " " + name;
    }
}
