package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.store.LedgerUnavailableException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Commands on one node from one process, run one after the other at the owner of the node ledger. Replicas receive the
 * resulting state, never the commands, so they run no rules.
 *
 * <p>There is one object for each submission: Hazelcast gets the replica's processor from it after the run, and runs
 * the caller's own object where caller and owner are the same member.
 */
final class CommandBatch
        implements EntryProcessor<String, StoredState, BatchReply>, IdentifiedDataSerializable, HazelcastInstanceAware {
    static final int COMMANDS_MAX = 256;
    private static final int ENVELOPE = 1;
    private static final long serialVersionUID = 1;

    private transient List<LedgerCommand<?>> commands = List.of();
    private transient boolean whole;
    private transient LedgerMemberContext context;
    private transient String node = "";
    private transient Optional<EntryProcessor<String, StoredState, BatchReply>> copy = Optional.empty();

    /** For Hazelcast, which fills it by reading. */
    CommandBatch() {}

    /** @param whole whether replicas may differ from the owner's earlier state, so that they get the whole state */
    CommandBatch(List<LedgerCommand<?>> commands, boolean whole) {
        this.commands = List.copyOf(commands);
        this.whole = whole;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        context = LedgerMemberContext.of(member);
    }

    @Override
    public BatchReply process(Map.Entry<String, StoredState> entry) {
        node = entry.getKey();
        copy = Optional.empty();
        var refusal = context.refusal(node);
        if (refusal.isPresent()) {
            return BatchReply.refused(refusal.get());
        }
        var ran = context.run(node, Optional.ofNullable(entry.getValue()), commands);
        entry.setValue(ran.after().orElse(null));
        if (ran.matters()) {
            copy = Optional.of(copy(ran));
        }
        return BatchReply.of(ran.replies());
    }

    private EntryProcessor<String, StoredState, BatchReply> copy(LedgerMemberContext.Ran ran) {
        var before = ran.before();
        var after = ran.after();
        if (!whole && before.isPresent() && after.isPresent()) {
            var change = new ReplicaChange(ran.origin(), before.get(), after.get());
            if (!change.isLarge()) {
                return change;
            }
        }
        return new ReplicaState(ran.origin(), after);
    }

    /**
     * The processor for the replicas. Hazelcast calls this after each run, and more than once. The members may have
     * changed since the run.
     *
     * @throws LedgerUnavailableException if this member may not run commands any more; then no reply is sent
     */
    @Override
    public EntryProcessor<String, StoredState, BatchReply> getBackupProcessor() {
        if (copy.isEmpty()) {
            return null;
        }
        context.refusal(node).ifPresent(refusal -> {
            throw refusal.exception();
        });
        return copy.get();
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(ENVELOPE);
        out.writeBoolean(whole);
        out.writeInt(commands.size());
        for (var command : commands) {
            out.writeByteArray(LedgerWire.COMMAND.encode(command).getBytes());
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        LedgerWire.expect("ledger.command-batch", in.readByte(), ENVELOPE);
        whole = in.readBoolean();
        int count = LedgerWire.count("ledger.command-batch", in.readInt(), COMMANDS_MAX);
        var read = new ArrayList<LedgerCommand<?>>(count);
        for (int i = 0; i < count; i++) {
            read.add(LedgerWire.COMMAND.decode(Buffer.buffer(in.readByteArray())));
        }
        commands = read;
    }

    @Override
    public int getFactoryId() {
        return LedgerWire.FACTORY;
    }

    @Override
    public int getClassId() {
        return LedgerWire.COMMAND_BATCH;
    }
}
