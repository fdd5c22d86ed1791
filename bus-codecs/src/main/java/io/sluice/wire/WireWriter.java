package io.sluice.wire;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Appends the parts of a message, big-endian. It does not write what {@link WireReader} would refuse as too long. */
public final class WireWriter {
    /** The longest text, in bytes of UTF-8. */
    public static final int TEXT_BYTES_MAX = 64 * 1024;

    /** The longest list. */
    public static final int LIST_MAX = 100_000;

    private final Buffer buffer;
    private final String codec;

    public WireWriter(Buffer buffer, String codec) {
        this.buffer = buffer;
        this.codec = codec;
    }

    /** One byte, 0 to 255. */
    public WireWriter u8(int value) {
        buffer.appendUnsignedByte((short) value);
        return this;
    }

    /** One byte: 1 for true, 0 for false. */
    public WireWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Four bytes. */
    public WireWriter i32(int value) {
        buffer.appendInt(value);
        return this;
    }

    /** Eight bytes. */
    public WireWriter i64(long value) {
        buffer.appendLong(value);
        return this;
    }

    /** Four bytes of IEEE 754. */
    public WireWriter f32(float value) {
        buffer.appendFloat(value);
        return this;
    }

    /** Eight bytes of IEEE 754. */
    public WireWriter f64(double value) {
        buffer.appendDouble(value);
        return this;
    }

    /** Length in bytes as u32, then UTF-8. */
    public WireWriter text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TEXT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    codec + ": a text has at most " + TEXT_BYTES_MAX + " bytes, not " + bytes.length);
        }
        buffer.appendInt(bytes.length).appendBytes(bytes);
        return this;
    }

    /** Whole seconds as i64, then the nanoseconds beyond them as i32. */
    public WireWriter duration(Duration value) {
        return i64(value.getSeconds()).i32(value.getNano());
    }

    /** As a duration since 1970. */
    public WireWriter instant(Instant value) {
        return i64(value.getEpochSecond()).i32(value.getNano());
    }

    /** A list of kinds, sorted: each its name as text and its amount as i64. */
    public WireWriter fixedAmounts(FixedAmounts value) {
        return list(
                List.copyOf(value.byKind().entrySet()),
                (to, amount) -> to.text(amount.getKey()).i64(amount.getValue()));
    }

    /** CPU as i64 in thousandths, then memory as i64 in bytes. */
    public WireWriter resources(Resources value) {
        return i64(value.milliCpu()).i64(value.memoryBytes());
    }

    /** Four texts. */
    public WireWriter vm(VmId value) {
        return text(value.driver()).text(value.namespace()).text(value.name()).text(value.uid());
    }

    /** Value and flags, i64 each. */
    public WireWriter revision(Revision value) {
        return i64(value.value()).i64(value.flags());
    }

    /** The stable number of an enum's constant, one byte. */
    public <E extends Enum<E>> WireWriter constant(WireEnum<E> numbers, E value) {
        return u8(numbers.number(value));
    }

    /** One byte that is 1 for a value and 0 for none, then the value. */
    public <V> WireWriter optional(Optional<V> value, BiConsumer<WireWriter, V> part) {
        bool(value.isPresent());
        value.ifPresent(present -> part.accept(this, present));
        return this;
    }

    /** The count as u32, then each element. */
    public <V> WireWriter list(List<V> values, BiConsumer<WireWriter, V> part) {
        if (values.size() > LIST_MAX) {
            throw new IllegalArgumentException(
                    codec + ": a list has at most " + LIST_MAX + " elements, not " + values.size());
        }
        i32(values.size());
        values.forEach(value -> part.accept(this, value));
        return this;
    }

    /** Another message with its own version byte: it can grow without the message around it. */
    public <M> WireWriter message(WireCodec<M> inner, M message) {
        inner.put(message, this);
        return this;
    }
}
