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
 * Resumes replica migrations soon after one has failed. Hazelcast's master otherwise waits at least 3 s, a fixed time,
 * and nothing is granted meanwhile on nodes whose replica is missing. The usual cause is that a member which has just
 * joined, or that learns of a change some milliseconds later than others, gets the request too soon. This listener has
 * an effect on the master only.
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
        // Not used.
    }

    @Override
    public void migrationFinished(MigrationState state) {
        // Not used.
    }

    @Override
    public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
        // Not used.
    }
}
