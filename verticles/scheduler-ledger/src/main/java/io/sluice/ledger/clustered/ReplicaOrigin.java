package io.sluice.ledger.clustered;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * The origin of a replica's state.
 *
 * @param owner the member that ran the commands
 * @param term the term in which they ran
 */
record ReplicaOrigin(UUID owner, UUID term) {
    void write(ObjectDataOutput out) throws IOException {
        LedgerWire.write(owner, out);
        LedgerWire.write(term, out);
    }

    static ReplicaOrigin read(ObjectDataInput in) throws IOException {
        return new ReplicaOrigin(LedgerWire.uuid(in), LedgerWire.uuid(in));
    }
}
