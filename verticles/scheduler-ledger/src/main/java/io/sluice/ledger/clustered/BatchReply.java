package io.sluice.ledger.clustered;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The result of a batch: a reply to each command, or the reason why none was run. */
final class BatchReply implements IdentifiedDataSerializable {
    private static final int ENVELOPE = 1;

    private Optional<GrantRefusal> refusal = Optional.empty();
    private List<Object> replies = List.of();

    /** For Hazelcast, which fills it by reading. */
    BatchReply() {}

    private BatchReply(Optional<GrantRefusal> refusal, List<Object> replies) {
        this.refusal = refusal;
        this.replies = replies;
    }

    static BatchReply of(List<Object> replies) {
        return new BatchReply(Optional.empty(), replies);
    }

    static BatchReply refused(GrantRefusal refusal) {
        return new BatchReply(Optional.of(refusal), List.of());
    }

    Optional<GrantRefusal> refusal() {
        return refusal;
    }

    /** One reply for each command, in the order of the commands. */
    List<Object> replies() {
        return replies;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeBoolean(refusal.isPresent());
        if (refusal.isPresent()) {
            refusal.get().write(out);
        }
        out.writeInt(replies.size());
        for (var reply : replies) {
            out.writeByteArray(LedgerWire.REPLY.encode(reply).getBytes());
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.batch-reply", in.readByte(), ENVELOPE);
        refusal = in.readBoolean() ? Optional.of(GrantRefusal.read(in)) : Optional.empty();
        int count = LedgerWire.count("ledger.batch-reply", in.readInt(), CommandBatch.COMMANDS_MAX);
        replies = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            replies.add(LedgerWire.REPLY.decode(Buffer.buffer(in.readByteArray())));
        }
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.BATCH_REPLY;
    }
}
