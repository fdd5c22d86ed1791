package io.sluice.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * What Vert.x sees of a {@link WireCodec}: never throws. A message that cannot be written travels as a version 0 with
 * the reason, so that whoever waits for it learns at once. Within one JVM the message itself is handed over.
 */
record DecodedCodec<T>(WireCodec<T> codec) implements MessageCodec<T, Decoded<T>> {
    private static final int UNWRITABLE = 0;

    @Override
    public void encodeToWire(Buffer buffer, T message) {
        buffer.appendBuffer(encoded(message));
    }

    /** Apart from the buffer, in which a half-written message could not be taken back. */
    private Buffer encoded(T message) {
        try {
            return codec.encode(message);
        } catch (RuntimeException unwritable) {
            var instead = Buffer.buffer();
            new WireWriter(instead, codec.name()).u8(UNWRITABLE).text(Bus.cut(unwritable.toString()));
            return instead;
        }
    }

    @Override
    public Decoded<T> decodeFromWire(int position, Buffer buffer) {
        try {
            var in = new WireReader(buffer, position, codec.name());
            if (in.u8() == UNWRITABLE) {
                throw new UnreadableMessageException(codec.name(), "its sender could not write it: " + in.text());
            }
            return new Decoded.Readable<>(codec.decodeFromWire(position, buffer));
        } catch (UnreadableMessageException reason) {
            return new Decoded.Unreadable<>(reason);
        }
    }

    @Override
    public Decoded<T> transform(T message) {
        return new Decoded.Readable<>(message);
    }

    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
