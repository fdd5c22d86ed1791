package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.partition.MigrationListener;
import com.hazelcast.partition.MigrationState;
import com.hazelcast.partition.ReplicaMigrationEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Goes on making copies soon after one could not be made. Hazelcast's master waits at least 3 s then, a fixed time, and
 * nothing is granted meanwhile for nodes whose copy is missing; yet it fails as a rule where a member has just joined
 * or left and hears of it some milliseconds later than the others. Only what it does on the master counts.
 */
final class ReplicaMigrationRetry implements MigrationListener, HazelcastInstanceAware {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final AtomicBoolean waiting = new AtomicBoolean();
    private Node here;

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
        here = Replicas.nodeOf(member);
    }

    @Override
    public void replicaMigrationFailed(ReplicaMigrationEvent event) {
        if (waiting.compareAndSet(false, true)) {
            here.getNodeEngine().getExecutionService().schedule(this::again, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void again() {
        waiting.set(false);
        here.getPartitionService().resumeMigration();
    }

    @Override
    public void migrationStarted(MigrationState state) {
        // Of no concern here.
    }

    @Override
    public void migrationFinished(MigrationState state) {
        // Of no concern here.
    }

    @Override
    public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
        // Of no concern here.
    }
}
