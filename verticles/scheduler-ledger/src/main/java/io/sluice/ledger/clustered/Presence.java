package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Asks a member whether it still has the one that asks among its own. */
final class Presence implements Callable<Boolean>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 1;

    private UUID asker = new UUID(0, 0);
    private HazelcastInstance member;

    /** For Hazelcast, which reads it then. */
    Presence() {}

    Presence(UUID asker) {
        this.asker = asker;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        member = here;
    }

    @Override
    public Boolean call() {
        return member.getCluster().getMembers().stream()
                .anyMatch(known -> known.getUuid().equals(asker));
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeLong(asker.getMostSignificantBits());
        out.writeLong(asker.getLeastSignificantBits());
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.presence", in.readByte(), ENVELOPE);
        asker = new UUID(in.readLong(), in.readLong());
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.PRESENCE;
    }
}
