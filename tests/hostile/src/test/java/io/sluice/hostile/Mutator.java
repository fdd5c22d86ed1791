package io.sluice.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Turns valid inputs into others: flips, cuts, repeats and splices bytes, inserts huge numbers, odd UTF-8 and deep
 * nesting. The result has a maximum length and depends only on the random numbers.
 */
public final class Mutator {
    private static final int CHANGES_MAX = 4;
    private static final int NOISE_MAX = 300;
    private static final int REPEATS_MAX = 64;
    private static final int LEVELS_MAX = 4000;
    private static final int RARELY = 40;

    private static final List<byte[]> NUMBERS = texts(
            "0",
            "-0",
            "-1",
            "00",
            "127",
            "128",
            "255",
            "256",
            "32768",
            "65535",
            "65536",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "18446744073709551616",
            "1.7e308",
            "-1.7e308",
            "1e400",
            "-1e400",
            "1e-400",
            "1e999999999",
            "1E-999999999",
            "1e99999999999",
            "0.0000000000000000000000000000000001",
            "9".repeat(400),
            "9".repeat(1200),
            "0x7fffffff",
            "NaN",
            "-Infinity",
            "null",
            "true",
            "1_000",
            "250m",
            "8Ei",
            "16Ei",
            "99999999h",
            "999999999h");

    /** Control characters, a byte order mark, surrogates, overlong encodings, and values beyond the last code point. */
    private static final List<byte[]> ODD_TEXTS = bytes(
            "00",
            "0d",
            "0a",
            "0d0a",
            "7f",
            "1b5b",
            "efbbbf",
            "feff",
            "fffe",
            "c080",
            "e08080",
            "f0808080",
            "eda080",
            "edb080",
            "eda080edb080",
            "f48fbfbf",
            "f4908080",
            "f8888080",
            "80",
            "bf",
            "c3",
            "e282",
            "f09f98",
            "f09f9880",
            "e280a8",
            "e280ae",
            "efbfbd",
            "efbfbf",
            "ccb4ccb4ccb4ccb4",
            "c2a0",
            "ef bc 91",
            "c4b0");

    private static final List<byte[]> OPENINGS =
            texts("[", "{", "{\"a\":", "[{\"a\":", "(", "\"", "'", "- ", "? ", "!!a ", "&a ", "<", "\\");
    private static final List<byte[]> CLOSINGS = texts("]", "}", "}", "}]", ")", "\"", "'", "", "", "", "", ">", "\\");

    private final List<byte[]> corpus;
    private final List<byte[]> words;
    private final int longest;

    /**
     * Makes a mutator.
     *
     * @param corpus valid inputs
     * @param words words of the format, which are inserted
     * @param longest the largest length of an input in bytes
     */
    public Mutator(List<byte[]> corpus, List<byte[]> words, int longest) {
        this.corpus = List.copyOf(corpus);
        this.words = List.copyOf(words);
        this.longest = longest;
    }

    /** Each text in UTF-8. */
    public static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static List<byte[]> bytes(String... hex) {
        return Arrays.stream(hex)
                .map(text -> HexFormat.of().parseHex(text.replace(" ", "")))
                .toList();
    }

    List<byte[]> corpus() {
        return corpus;
    }

    byte[] next(RandomGenerator random) {
        var bytes = random.nextInt(RARELY) == 0 ? noise(random) : any(corpus, random);
        for (int changes = random.nextInt(CHANGES_MAX + 1); changes > 0; changes--) {
            bytes = changed(bytes, random);
        }
        return bytes.length <= longest ? bytes : Arrays.copyOf(bytes, longest);
    }

    private byte[] changed(byte[] bytes, RandomGenerator random) {
        int at = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, at + random.nextInt(1 + random.nextInt(bytes.length + 1)));
        return switch (random.nextInt(11)) {
            case 0, 1 -> flipped(bytes, random);
            case 2 -> joined(bytes, at, to);
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> joined(bytes, to, to, repeated(Arrays.copyOfRange(bytes, at, to), random.nextInt(REPEATS_MAX)));
            case 5 -> joined(bytes, at, to, part(any(corpus, random), random));
            case 6, 7 -> numbered(bytes, at, any(NUMBERS, random));
            case 8 -> joined(bytes, at, at, any(ODD_TEXTS, random));
            case 9 -> words.isEmpty() ? flipped(bytes, random) : joined(bytes, at, at, any(words, random));
            default ->
                random.nextInt(RARELY) == 0 ? nested(bytes, at, to, random) : joined(bytes, at, to, noise(random));
        };
    }

    private static byte[] flipped(byte[] bytes, RandomGenerator random) {
        var changed = bytes.clone();
        for (int i = random.nextInt(4); i >= 0 && changed.length > 0; i--) {
            int at = random.nextInt(changed.length);
            changed[at] = random.nextBoolean()
                    ? (byte) (changed[at] ^ 1 << random.nextInt(Byte.SIZE))
                    : (byte) random.nextInt();
        }
        return changed;
    }

    /** Replaces the digits from there on by another number; inserts it if there are none. */
    private static byte[] numbered(byte[] bytes, int from, byte[] number) {
        int at = from;
        while (at < bytes.length && !isDigit(bytes[at])) {
            at++;
        }
        int to = at;
        while (to < bytes.length && isDigit(bytes[to])) {
            to++;
        }
        return joined(bytes, at, to, number);
    }

    private byte[] nested(byte[] bytes, int at, int to, RandomGenerator random) {
        int kind = random.nextInt(OPENINGS.size());
        int levels = random.nextInt(LEVELS_MAX);
        var opened = repeated(OPENINGS.get(kind), levels);
        var closed = random.nextBoolean() ? repeated(CLOSINGS.get(kind), levels) : new byte[0];
        return joined(bytes, at, to, opened, Arrays.copyOfRange(bytes, at, to), closed);
    }

    private static byte[] noise(RandomGenerator random) {
        var noise = new byte[random.nextInt(NOISE_MAX)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] part(byte[] bytes, RandomGenerator random) {
        int from = random.nextInt(bytes.length + 1);
        return Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from + 1));
    }

    private byte[] repeated(byte[] bytes, int times) {
        int bounded = bytes.length == 0 ? 0 : Math.min(times, longest / bytes.length);
        return joined(new byte[0], 0, 0, Collections.nCopies(bounded, bytes).toArray(byte[][]::new));
    }

    /** The bytes with a part replaced by others. */
    private static byte[] joined(byte[] bytes, int from, int to, byte[]... instead) {
        var joined = new ByteArrayOutputStream(bytes.length);
        joined.write(bytes, 0, from);
        for (var part : instead) {
            joined.writeBytes(part);
        }
        joined.write(bytes, to, bytes.length - to);
        return joined.toByteArray();
    }

    private static boolean isDigit(byte letter) {
        return letter >= '0' && letter <= '9';
    }

    private static byte[] any(List<byte[]> some, RandomGenerator random) {
        return some.get(random.nextInt(some.size()));
    }
}
