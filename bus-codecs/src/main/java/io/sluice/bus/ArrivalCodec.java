package io.sluice.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * What Vert.x sees of a {@link WireCodec}: never throws. A message that cannot be written travels as a version 0 with
 * the reason, so that whoever waits for it learns at once. Within one JVM the message itself is handed over.
 */
record ArrivalCodec<T>(WireCodec<T> codec) implements MessageCodec<T, Arrival<T>> {
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
    public Arrival<T> decodeFromWire(int position, Buffer buffer) {
        try {
            var in = new WireReader(buffer, position, codec.name());
            if (in.u8() == UNWRITABLE) {
                throw new UnreadableMessageException(codec.name(), "its sender could not write it: " + in.text());
            }
            return new Arrival.Readable<>(codec.decodeFromWire(position, buffer));
        } catch (UnreadableMessageException reason) {
            return new Arrival.Unreadable<>(reason);
        }
    }

    @Override
    public Arrival<T> transform(T message) {
        return new Arrival.Readable<>(message);
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
