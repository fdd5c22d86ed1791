package io.sluice.devices;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;

/**
 * The fingerprint of a set of pods, by which reports of zones name the pods that they contain: the hash (xxHash64) of
 * the sorted hashes of all pods. The hash of a pod is that of its name, seeded with that of its namespace.
 */
public final class PodFingerprint {
    private static final String VERSION = "pfp0v001";
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;

    private PodFingerprint() {}

    /** @param pods namespace and name of each */
    public static String of(Collection<Map.Entry<String, String>> pods) {
        var hashes = pods.stream()
                .map(pod -> hash(bytes(pod.getValue()), hash(bytes(pod.getKey()), 0)))
                .sorted(Long::compareUnsigned)
                .toList();
        var all = ByteBuffer.allocate(Long.BYTES * hashes.size()).order(ByteOrder.LITTLE_ENDIAN);
        hashes.forEach(all::putLong);
        return VERSION + HexFormat.of().toHexDigits(hash(all.array(), 0));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long hash(byte[] bytes, long seed) {
        var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long sum = seed + P5;
        if (bytes.length >= 32) {
            var sums = new long[] {seed + P1 + P2, seed + P2, seed, seed - P1};
            while (in.remaining() >= 32) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] = round(sums[i], in.getLong());
                }
            }
            sum = Long.rotateLeft(sums[0], 1)
                    + Long.rotateLeft(sums[1], 7)
                    + Long.rotateLeft(sums[2], 12)
                    + Long.rotateLeft(sums[3], 18);
            for (long part : sums) {
                sum = (sum ^ round(0, part)) * P1 + P4;
            }
        }
        sum += bytes.length;
        while (in.remaining() >= Long.BYTES) {
            sum = Long.rotateLeft(sum ^ round(0, in.getLong()), 27) * P1 + P4;
        }
        if (in.remaining() >= Integer.BYTES) {
            sum = Long.rotateLeft(sum ^ Integer.toUnsignedLong(in.getInt()) * P1, 23) * P2 + P3;
        }
        while (in.hasRemaining()) {
            sum = Long.rotateLeft(sum ^ Byte.toUnsignedInt(in.get()) * P5, 11) * P1;
        }
        sum = (sum ^ sum >>> 33) * P2;
        sum = (sum ^ sum >>> 29) * P3;
        return sum ^ sum >>> 32;
    }

    private static long round(long part, long input) {
        return Long.rotateLeft(part + input * P2, 31) * P1;
    }
}
