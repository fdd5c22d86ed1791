package io.sluice.bus;

import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * Adapts a {@link WireCodec} to Vert.x; never throws. A message that cannot be written is sent as version 0 with the
 * reason, so that its receiver fails at once. Within one JVM the message object itself is passed.
 */
record DecodedCodec<T>(WireCodec<T> codec) implements MessageCodec<T, Decoded<T>> {
    private static final int UNWRITABLE = 0;

    @Override
    public void encodeToWire(Buffer buffer, T message) {
        buffer.appendBuffer(encoded(message));
    }

    /** Encodes into a separate buffer, as a half-written message cannot be removed from the shared one. */
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
