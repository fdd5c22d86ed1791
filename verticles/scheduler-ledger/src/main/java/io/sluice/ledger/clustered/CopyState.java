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

/** Puts the books that an owner came to in the place of a copy, whatever the copy was. */
final class CopyState
        implements EntryProcessor<String, KeptState, BatchReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;
    private static final long serialVersionUID = 1;

    private transient Origin origin;
    private transient Optional<KeptState> state = Optional.empty();
    private transient Keeper keeper;

    /** For Hazelcast, which reads it then. */
    CopyState() {}

    CopyState(Origin origin, Optional<KeptState> state) {
        this.origin = origin;
        this.state = state;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        keeper = Keeper.of(member);
    }

    @Override
    public BatchReply process(Map.Entry<String, KeptState> entry) {
        keeper.expect(origin, entry.getKey());
        entry.setValue(state.map(copy -> copy.heldIn(keeper.stay())).orElse(null));
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
        origin = Origin.read(in);
        state = Optional.empty();
        if (in.readBoolean()) {
            var read = new KeptState();
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
