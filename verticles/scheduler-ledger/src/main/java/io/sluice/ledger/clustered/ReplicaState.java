package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Replaces a replica by the owner's whole state, whatever the replica was. */
final class ReplicaState
        implements EntryProcessor<String, StoredState, BatchReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;
    private static final long serialVersionUID = 1;

    private transient ReplicaOrigin origin;
    private transient Optional<StoredState> state = Optional.empty();
    private transient LedgerMemberContext context;

    /** For Hazelcast, which fills it by reading. */
    ReplicaState() {}

    ReplicaState(ReplicaOrigin origin, Optional<StoredState> state) {
        this.origin = origin;
        this.state = state;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        context = LedgerMemberContext.of(member);
    }

    @Override
    public BatchReply process(Map.Entry<String, StoredState> entry) {
        context.expect(origin, entry.getKey());
        entry.setValue(state.map(copy -> copy.heldIn(context.stay())).orElse(null));
        return null;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        origin.write(out);
        out.writeBoolean(state.isPresent());
        if (state.isPresent()) {
            state.get().writeData(out);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.copy-state", in.readByte(), ENVELOPE);
        origin = ReplicaOrigin.read(in);
        state = Optional.empty();
        if (in.readBoolean()) {
            var read = new StoredState();
            read.readData(in);
            state = Optional.of(read);
        }
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.COPY_STATE;
    }
}
