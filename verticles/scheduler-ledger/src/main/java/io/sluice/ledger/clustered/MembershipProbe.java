package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Asks a member for its term, and for the ticket that shows that it has the asker among its own without a break. */
final class MembershipProbe implements Callable<ProbeReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;

    private UUID asker = new UUID(0, 0);
    private UUID stay = asker;
    private HazelcastInstance member;

    /** For Hazelcast, which reads it then. */
    MembershipProbe() {}

    /** @param stay of the asker */
    MembershipProbe(UUID asker, UUID stay) {
        this.asker = asker;
        this.stay = stay;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        member = here;
    }

    @Override
    public ProbeReply call() {
        return LedgerMemberContext.of(member).answer(asker, stay);
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        LedgerWire.write(asker, out);
        LedgerWire.write(stay, out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.presence", in.readByte(), ENVELOPE);
        asker = LedgerWire.uuid(in);
        stay = LedgerWire.uuid(in);
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
