package io.sluice.wire;

import io.vertx.core.buffer.Buffer;

/**
 * Encodes one kind of message: a version byte, then what the subclass writes, to the buffer's end.
 *
 * <p>A codec reads the versions that it names and refuses any other by name. Fields are only ever appended, with a new
 * version. Version 0 is reserved for a message that its sender could not write.
 *
 * @param <T> the message, or the sealed interface over its cases
 */
public abstract class WireCodec<T> {
    private static final int VERSION_MAX = 255;

    private final String name;
    private final int oldest;
    private final int version;

    /**
     * A codec that reads only the version that it writes.
     *
     * @param name {@code <owner>.<message-kebab>}; never changes
     * @param version what is written and read; a change of the fields raises it
     */
    protected WireCodec(String name, int version) {
        this(name, version, version);
    }

    /**
     * A codec that also reads versions of earlier releases.
     *
     * @param name {@code <owner>.<message-kebab>}; never changes
     * @param oldest the oldest version that is still read
     * @param version the newest version, which is written
     */
    protected WireCodec(String name, int oldest, int version) {
        if (oldest < 1 || version < oldest || version > VERSION_MAX) {
            throw new IllegalArgumentException(
                    name + ": a version is 1 to " + VERSION_MAX + ": " + oldest + ", " + version);
        }
        this.name = name;
        this.oldest = oldest;
        this.version = version;
    }

    /** Writes every field of the newest version. */
    protected abstract void write(T message, WireWriter out);

    /**
     * Reads every field of a version.
     *
     * @param version from the oldest that is read to the newest
     */
    protected abstract T read(int version, WireReader in);

    /**
     * Appends the message.
     *
     * @throws IllegalArgumentException when a text or list in it is longer than a reader accepts
     */
    public final void encodeToWire(Buffer buffer, T message) {
        put(message, new WireWriter(buffer, name));
    }

    /**
     * Reads the message from the position to the buffer's end.
     *
     * @throws UnreadableMessageException when the bytes are no such message
     */
    public final T decodeFromWire(int position, Buffer buffer) {
        var in = new WireReader(buffer, position, name);
        var message = take(in);
        in.expectEnd();
        return message;
    }

    /** Encodes the message into a new buffer. */
    public final Buffer encode(T message) {
        var buffer = Buffer.buffer();
        encodeToWire(buffer, message);
        return buffer;
    }

    /**
     * Decodes a buffer that holds only the message.
     *
     * @throws UnreadableMessageException when the bytes are no such message
     */
    public final T decode(Buffer buffer) {
        return decodeFromWire(0, buffer);
    }

    /** Writes version and fields; also used for a message inside another one. */
    final void put(T message, WireWriter out) {
        out.u8(version);
        write(message, out);
    }

    final T take(WireReader in) {
        int found = in.u8();
        if (found < oldest || found > version) {
            throw new UnreadableMessageException(name, found, oldest, version);
        }
        try {
            return read(found, in);
        } catch (IllegalArgumentException refused) {
            throw new UnreadableMessageException(name, refused);
        }
    }

    /** {@code <owner>.<message-kebab>}. */
    public final String name() {
        return name;
    }

    /** The oldest version that is still read. */
    public final int oldest() {
        return oldest;
    }

    /** The newest version, which is written. */
    public final int version() {
        return version;
    }
}
