package io.sluice.ledger.clustered;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.sluice.ledger.wire.LedgerCommandCodec;
import io.sluice.ledger.wire.NodeChangeCodec;
import io.sluice.ledger.wire.NodeStateCodec;
import io.sluice.ledger.wire.ReplyCodec;
import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;

/**
 * What ledger processes send each other: the numbers of the classes, which never change, and the codecs of their
 * content.
 */
final class LedgerWire {
    /** A number that no other factory of the process uses. */
    static final int FACTORY = 7110;

    static final int COMMAND_BATCH = 1;
    static final int COPY_STATE = 2;
    static final int KEPT_STATE = 3;
    static final int BATCH_REPLY = 4;
    static final int PRESENCE = 5;
    static final int COPY_CHANGE = 6;
    static final int PRESENCE_REPLY = 7;

    static final NodeStateCodec STATE = new NodeStateCodec();
    static final NodeChangeCodec CHANGE = new NodeChangeCodec();
    static final LedgerCommandCodec COMMAND = new LedgerCommandCodec();
    static final ReplyCodec REPLY = new ReplyCodec();

    private LedgerWire() {}

    static DataSerializableFactory classes() {
        return number -> switch (number) {
            case COMMAND_BATCH -> new CommandBatch();
            case COPY_STATE -> new ReplicaState();
            case KEPT_STATE -> new StoredState();
            case BATCH_REPLY -> new BatchReply();
            case PRESENCE -> new MembershipProbe();
            case COPY_CHANGE -> new ReplicaChange();
            case PRESENCE_REPLY -> new ProbeReply();
            default -> throw new HazelcastSerializationException("the ledger has no class " + number);
        };
    }

    /**
     * Refuses bytes that another version of the program wrote.
     *
     * @throws HazelcastSerializationException for any other version
     */
    static void expect(String what, int found, int known) {
        int version = Byte.toUnsignedInt((byte) found);
        if (version != known) {
            throw new HazelcastSerializationException(new UnreadableMessageException(what, version, known, known));
        }
    }

    /**
     * Checks a count that was received.
     *
     * @throws HazelcastSerializationException if it is below 0 or above the bound
     */
    static int count(String what, int found, int most) {
        if (found < 0 || found > most) {
            throw new HazelcastSerializationException(what + ": a count is 0 to " + most + ", not " + found);
        }
        return found;
    }

    /**
     * The bytes of a message, which may be decoded later.
     *
     * @throws HazelcastSerializationException if there are none, or their version is unknown
     */
    static byte[] message(WireCodec<?> codec, ObjectDataInput in) throws IOException {
        var bytes = in.readByteArray();
        if (bytes == null || bytes.length == 0) {
            throw new HazelcastSerializationException(codec.name() + ": there are no bytes");
        }
        expect(codec.name(), bytes[0], codec.version());
        return bytes;
    }

    static void write(Instant at, ObjectDataOutput out) throws IOException {
        out.writeLong(at.getEpochSecond());
        out.writeInt(at.getNano());
    }

    static void write(UUID id, ObjectDataOutput out) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    static UUID uuid(ObjectDataInput in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    static Instant instant(ObjectDataInput in) throws IOException {
        try {
            return Instant.ofEpochSecond(in.readLong(), in.readInt());
        } catch (DateTimeException beyond) {
            throw new HazelcastSerializationException("ledger.kept-state: there is no such instant", beyond);
        }
    }
}
