package io.sluice.billing.outbox.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The checksum in front of each value. It covers the map's name, the key and the value. */
final class Checksums {
    private Checksums() {}

    static byte[] seal(String map, Object key, byte[] value) {
        return ByteBuffer.allocate(Integer.BYTES + value.length)
                .putInt(sum(map, key, value, 0))
                .put(value)
                .array();
    }

    /** Returns the value; empty if its checksum is wrong. */
    static Optional<byte[]> open(String map, Object key, byte[] sealed) {
        if (sealed.length < Integer.BYTES || ByteBuffer.wrap(sealed).getInt() != sum(map, key, sealed, Integer.BYTES)) {
            return Optional.empty();
        }
        var value = new byte[sealed.length - Integer.BYTES];
        System.arraycopy(sealed, Integer.BYTES, value, 0, value.length);
        return Optional.of(value);
    }

    private static int sum(String map, Object key, byte[] bytes, int from) {
        var sum = new CRC32C();
        sum.update((map + '\n' + key + '\n').getBytes(StandardCharsets.UTF_8));
        sum.update(bytes, from, bytes.length - from);
        return (int) sum.getValue();
    }
}
