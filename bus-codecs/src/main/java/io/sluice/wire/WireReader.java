package io.sluice.wire;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the parts of a message that {@link WireWriter} wrote.
 *
 * <p>The bytes are not trusted: each length is checked against the remaining bytes before anything is allocated, and
 * every error is an {@link UnreadableMessageException}.
 */
public final class WireReader {
    private static final int NANOS_MAX = 999_999_999;
    private static final char REPLACEMENT = '\uFFFD';

    private final Buffer buffer;
    private final String codec;
    private int position;

    public WireReader(Buffer buffer, int position, String codec) {
        this.buffer = buffer;
        this.position = position;
        this.codec = codec;
    }

    /** One byte, 0 to 255. */
    public int u8() {
        return buffer.getUnsignedByte(skip(Byte.BYTES));
    }

    /** One byte, 0 or 1. */
    public boolean bool() {
        int found = u8();
        if (found > 1) {
            throw unreadable("a boolean is 1 or 0, not " + found);
        }
        return found == 1;
    }

    /** Four bytes. */
    public int i32() {
        return buffer.getInt(skip(Integer.BYTES));
    }

    /** Eight bytes. */
    public long i64() {
        return buffer.getLong(skip(Long.BYTES));
    }

    /** Four bytes of IEEE 754. */
    public float f32() {
        return buffer.getFloat(skip(Float.BYTES));
    }

    /** Eight bytes of IEEE 754. */
    public double f64() {
        return buffer.getDouble(skip(Double.BYTES));
    }

    /** Length in bytes as u32, then well-formed UTF-8. */
    public String text() {
        int length = count("a text", "bytes", WireWriter.TEXT_BYTES_MAX);
        int start = skip(length);
        byte[] bytes = buffer.getBytes(start, start + length);
        var text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
            throw unreadable("a text of " + length + " bytes is not UTF-8");
        }
        return text;
    }

    /** Whole seconds as i64, then the nanoseconds beyond them as i32. */
    public Duration duration() {
        long seconds = i64();
        int nanos = i32();
        if (nanos < 0 || nanos > NANOS_MAX) {
            throw unreadable("a second has nanoseconds 0 to " + NANOS_MAX + ", not " + nanos);
        }
        return Duration.ofSeconds(seconds, nanos);
    }

    /** As a duration since 1970. */
    public Instant instant() {
        var since = duration();
        try {
            return Instant.EPOCH.plus(since);
        } catch (DateTimeException outside) {
            throw unreadable("an instant cannot be " + since.toSeconds() + " s away from 1970");
        }
    }

    /** CPU as i64 in thousandths, then memory as i64 in bytes. */
    public Resources resources() {
        return new Resources(i64(), i64());
    }

    /** A list of kinds: each its name as text and its amount as i64. */
    public FixedAmounts fixedAmounts() {
        var amounts = new HashMap<String, Long>();
        list(from -> amounts.put(from.text(), from.i64()));
        return FixedAmounts.of(amounts);
    }

    /** Four texts. */
    public VmId vm() {
        return new VmId(text(), text(), text(), text());
    }

    /** Value and flags, i64 each. */
    public Revision revision() {
        return new Revision(i64(), i64());
    }

    /** The stable number of an enum's constant, one byte. */
    public <E extends Enum<E>> E constant(WireEnum<E> numbers) {
        int number = u8();
        return numbers.constant(number).orElseThrow(() -> unreadable(numbers + " has no number " + number));
    }

    /** One byte that is 1 for a value and 0 for none, then the value. */
    public <V> Optional<V> optional(Function<WireReader, V> part) {
        return bool() ? Optional.of(part.apply(this)) : Optional.empty();
    }

    /** The count as u32, then each element, of at least one byte. */
    public <V> List<V> list(Function<WireReader, V> part) {
        int count = count("a list", "elements", WireWriter.LIST_MAX);
        var values = new ArrayList<V>(count);
        for (int i = 0; i < count; i++) {
            values.add(part.apply(this));
        }
        return values;
    }

    /** Another message with its own version byte. */
    public <M> M message(WireCodec<M> inner) {
        return inner.take(this);
    }

    /** The exception for a tag that no case has. */
    public UnreadableMessageException unknownTag(int tag) {
        return unreadable("no case has the tag " + tag);
    }

    void expectEnd() {
        if (position != buffer.length()) {
            throw unreadable((buffer.length() - position) + " bytes are left over");
        }
    }

    private int count(String what, String unit, int max) {
        long found = Integer.toUnsignedLong(i32());
        if (found > max) {
            throw unreadable(what + " has at most " + max + " " + unit + ", not " + found);
        }
        require((int) found);
        return (int) found;
    }

    private int skip(int length) {
        require(length);
        int start = position;
        position += length;
        return start;
    }

    private void require(int length) {
        int left = buffer.length() - position;
        if (left < length) {
            throw unreadable("it ends where " + length + " more bytes were expected and " + left + " are left");
        }
    }

    private UnreadableMessageException unreadable(String problem) {
        return new UnreadableMessageException(codec, problem);
    }
}
