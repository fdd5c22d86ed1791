package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Requests the term of a member, and the ticket that shows that it has had the sender in its list without a break. */
final class MembershipProbe implements Callable<ProbeReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;

    private UUID requester = new UUID(0, 0);
    private UUID stay = requester;
    private HazelcastInstance member;

    /** For Hazelcast, which fills it by reading. */
    MembershipProbe() {}

    /** @param stay of the sender */
    MembershipProbe(UUID requester, UUID stay) {
        this.requester = requester;
        this.stay = stay;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance here) {
        member = here;
    }

    @Override
    public ProbeReply call() {
        return LedgerMemberContext.of(member).answer(requester, stay);
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        LedgerWire.write(requester, out);
        LedgerWire.write(stay, out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.presence", in.readByte(), ENVELOPE);
        requester = LedgerWire.uuid(in);
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
