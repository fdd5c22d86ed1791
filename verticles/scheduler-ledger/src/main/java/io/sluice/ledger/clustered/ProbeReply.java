package io.sluice.ledger.clustered;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The reply to a probe: the member's term, and its ticket for the sender. */
final class ProbeReply implements IdentifiedDataSerializable {
    private static final int ENVELOPE = 1;
    private static final List<Term.Part> PARTS = List.of(Term.Part.OUTSIDE, Term.Part.READY, Term.Part.IN);

    private Term.Answer answer = new Term.Answer(Term.Part.OUTSIDE, Optional.empty(), 0, new UUID(0, 0));

    /** For Hazelcast, which fills it by reading; otherwise the reply of a member that keeps no ledger state yet. */
    ProbeReply() {}

    ProbeReply(Term.Answer answer) {
        this.answer = answer;
    }

    Term.Answer answer() {
        return answer;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeByte(PARTS.indexOf(answer.part()));
        out.writeBoolean(answer.term().isPresent());
        if (answer.term().isPresent()) {
            LedgerWire.write(answer.term().get(), out);
        }
        out.writeLong(answer.ticket());
        LedgerWire.write(answer.founding(), out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.presence-reply", in.readByte(), ENVELOPE);
        var part = PARTS.get(LedgerWire.count("ledger.presence-reply", in.readByte(), PARTS.size() - 1));
        Optional<UUID> term = in.readBoolean() ? Optional.of(LedgerWire.uuid(in)) : Optional.empty();
        answer = new Term.Answer(part, term, in.readLong(), LedgerWire.uuid(in));
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.PRESENCE_REPLY;
    }
}
