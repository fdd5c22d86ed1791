package io.sluice.ledger.clustered;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Puts the books that an owner came to in the place of a copy, whatever the copy was. */
final class CopyState implements EntryProcessor<String, KeptState, BatchReply>, IdentifiedDataSerializable {
    private static final int ENVELOPE = 1;
    private static final long serialVersionUID = 1;

    private transient Optional<KeptState> state = Optional.empty();

    /** For Hazelcast, which reads it then. */
    CopyState() {}

    CopyState(Optional<KeptState> state) {
        this.state = state;
    }

    @Override
    public BatchReply process(Map.Entry<String, KeptState> entry) {
        entry.setValue(state.orElse(null));
        return null;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeBoolean(state.isPresent());
        if (state.isPresent()) {
            state.get().writeData(out);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.copy-state", in.readByte(), ENVELOPE);
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
