package io.sluice.ledger.clustered;

import com.hazelcast.map.EntryProcessor;
import io.sluice.ledger.core.state.NodeState;
import java.io.Serializable;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Faults of the replicas of a node ledger. */
enum CopyFault {
    /** They get another state. */
    SPOILT,
    /** The member that has one runs nothing more until its process ends. */
    STALLED;

    /** Leaves the owner's state as it is; what it does to the replicas may never end. */
    void strike(Members.Started owner, String node) {
        owner.member().<String, StoredState>getMap(ClusteredLedger.MAP).submitToKey(node, new Strike(this));
    }

    private void run(Map.Entry<String, StoredState> copy) {
        switch (this) {
            case SPOILT ->
                copy.setValue(new StoredState(
                        NodeState.blank(copy.getKey()), 1, Instant.EPOCH, new UUID(0, 1), Optional.empty()));
            case STALLED -> stall();
        }
    }

    private static void stall() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private record Strike(CopyFault fault) implements EntryProcessor<String, StoredState, BatchReply>, Serializable {
        @Override
        public BatchReply process(Map.Entry<String, StoredState> entry) {
            return null;
        }

        @Override
        public EntryProcessor<String, StoredState, BatchReply> getBackupProcessor() {
            return new Struck(fault);
        }
    }

    /** Runs on the replicas. */
    private record Struck(CopyFault fault) implements EntryProcessor<String, StoredState, BatchReply>, Serializable {
        @Override
        public BatchReply process(Map.Entry<String, StoredState> entry) {
            fault.run(entry);
            return null;
        }
    }
}
