package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.state.NodeState;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A node ledger as a member holds it, with the time that has passed for it.
 *
 * <p>That time is the sum of what each owner's monotonic clock measured while it was the owner. A change of owner adds
 * nothing, so that a wait is too long rather than too short. A replica that was received stays encoded until it is
 * needed.
 *
 * <p>It counts only in the term in which it was written, and only while its holder stays in that term. If it is sent on
 * after that, it is of no term.
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
     * @param by the owner of the clock
     * @param nanos the reading
     */
    record Measured(Object by, long nanos) {}

    /** For Hazelcast, which fills it by reading. */
    StoredState() {}

    /**
     * The state that a command led to in this process.
     *
     * @param stamp the number of this state; no other state of the node has the same
     * @param at the instant at which the command ran
     */
    StoredState(NodeState state, long stamp, Instant at, UUID term, Optional<Measured> measured) {
        this.state = state;
        this.stamp = stamp;
        this.at = at;
        this.term = term;
        this.measured = measured;
    }

    /** Records during which stay of this member it was received or made. */
    StoredState heldIn(Term.Stay stay) {
        heldIn = Optional.of(stay);
        return this;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        Optional.ofNullable(LedgerMemberContext.of(member)).ifPresent(context -> heldIn(context.stay()));
    }

    /** Whether it was written in that term and its holder has been in that term, or about to enter it, ever since. */
    boolean isOf(UUID wanted) {
        return wanted.equals(term());
    }

    private UUID term() {
        return heldIn.filter(Term.Stay::isOver).isPresent() ? NO_TERM : term;
    }

    /** May be called by several threads at once: the state is immutable, and is decoded from the same bytes. */
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

    /**
     * The present instant: advanced by the clock of this process if it measured the last one, otherwise the last one.
     */
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
