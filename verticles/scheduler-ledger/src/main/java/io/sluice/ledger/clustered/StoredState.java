package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.NodeState;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The books of a node as a member of the cluster holds them, with the time that has passed for them.
 *
 * <p>That time is the sum of what each owner measured by its own monotonic clock while it was the owner; what passes
 * while the books change hands is not counted, so that whatever waits for time waits too long rather than too short. A
 * copy that came over the wire stays in its bytes until somebody needs it.
 *
 * <p>It counts in the term in which it was written alone, and not beyond the stay in that term of whoever holds it:
 * sent on after that, it is of no term.
 */
final class StoredState implements IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final int ENVELOPE = 2;
    private static final UUID NO_TERM = new UUID(0, 0);

    private byte[] bytes;
    private NodeState state;
    private long stamp;
    private Instant at;
    private UUID term = NO_TERM;
    private Optional<Term.Stay> heldIn = Optional.empty();
    private Optional<Measured> measured = Optional.empty();

    /**
     * The last reading of a clock.
     *
     * @param by whose clock
     * @param nanos what it showed
     */
    record Measured(Object by, long nanos) {}

    /** For Hazelcast, which reads it then. */
    StoredState() {}

    /**
     * Books that a command led to in this process.
     *
     * @param stamp tells them from all other books of the node: only the very same have the same
     * @param at the instant at which it ran
     */
    StoredState(NodeState state, long stamp, Instant at, UUID term, Optional<Measured> measured) {
        this.state = state;
        this.stamp = stamp;
        this.at = at;
        this.term = term;
        this.measured = measured;
    }

    /** It came to this member, or was made here, in that stay of the member in its term. */
    StoredState heldIn(Term.Stay stay) {
        heldIn = Optional.of(stay);
        return this;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        Optional.ofNullable(LedgerMemberContext.of(member)).ifPresent(keeper -> heldIn(keeper.stay()));
    }

    /** Whether it was written in that term, and whoever holds it has been in it, or about to be, ever since. */
    boolean isOf(UUID wanted) {
        return wanted.equals(term());
    }

    private UUID term() {
        return heldIn.filter(Term.Stay::isOver).isPresent() ? NO_TERM : term;
    }

    /** May be called by several threads at once: the state is immutable, and read from the same bytes. */
    NodeState state() {
        var read = state;
        if (read == null) {
            read = LedgerWire.STATE.decode(Buffer.buffer(bytes));
            state = read;
        }
        return read;
    }

    long stamp() {
        return stamp;
    }

    Instant at() {
        return at;
    }

    /** The instant now, by the clock of this process where it measured the last one, else the last one itself. */
    Instant now(Object me, long nanos) {
        return measured.filter(last -> last.by() == me)
                .map(last -> at.plusNanos(Math.max(0, nanos - last.nanos())))
                .orElse(at);
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeLong(stamp);
        LedgerWire.write(at, out);
        LedgerWire.write(term(), out);
        out.writeByteArray(
                state == null ? bytes : LedgerWire.STATE.encode(state).getBytes());
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.kept-state", in.readByte(), ENVELOPE);
        stamp = in.readLong();
        at = LedgerWire.instant(in);
        term = LedgerWire.uuid(in);
        bytes = LedgerWire.message(LedgerWire.STATE, in);
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.KEPT_STATE;
    }
}
