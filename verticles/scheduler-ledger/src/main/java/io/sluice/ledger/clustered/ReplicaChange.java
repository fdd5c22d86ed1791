package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.state.NodeChange;
import io.sluice.ledger.store.LedgerUnavailableException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Brings a replica to the owner's new state by the difference: of the hundreds of reservations on a node, a request
 * changes one. A replica that does not have exactly the owner's earlier state refuses and does not confirm. Then no
 * reply is sent, and the next replication sends the whole state.
 */
final class ReplicaChange
        implements EntryProcessor<String, StoredState, BatchReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;
    private static final int LARGE = 64;
    private static final long serialVersionUID = 1;

    private transient ReplicaOrigin origin;
    private transient LedgerMemberContext context;
    private transient long from;
    private transient long to;
    private transient Instant at = Instant.EPOCH;
    private transient NodeChange change;

    /** For Hazelcast, which fills it by reading. */
    ReplicaChange() {}

    ReplicaChange(ReplicaOrigin origin, StoredState before, StoredState after) {
        this.origin = origin;
        from = before.stamp();
        to = after.stamp();
        at = after.at();
        change = NodeChange.between(before.state(), after.state());
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        context = LedgerMemberContext.of(member);
    }

    /** Whether the whole state would hardly be larger. */
    boolean isLarge() {
        return change.put().size() > LARGE || change.gone().isPresent();
    }

    @Override
    public BatchReply process(Map.Entry<String, StoredState> entry) {
        context.expect(origin, entry.getKey());
        var before = entry.getValue();
        if (before == null || before.stamp() != from) {
            throw LedgerUnavailableException.crowded("the replica of the ledger of node " + entry.getKey()
                    + " does not have the owner's earlier state; the whole state is sent next");
        }
        entry.setValue(new StoredState(change.on(before.state()), to, at, origin.term(), Optional.empty())
                .heldIn(context.stay()));
        return null;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        origin.write(out);
        out.writeLong(from);
        out.writeLong(to);
        LedgerWire.write(at, out);
        out.writeByteArray(LedgerWire.CHANGE.encode(change).getBytes());
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.copy-change", in.readByte(), ENVELOPE);
        origin = ReplicaOrigin.read(in);
        from = in.readLong();
        to = in.readLong();
        at = LedgerWire.instant(in);
        change = LedgerWire.CHANGE.decode(Buffer.buffer(LedgerWire.message(LedgerWire.CHANGE, in)));
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.COPY_CHANGE;
    }
}
