package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.MigrationInfo;
import com.hazelcast.internal.partition.MigrationInfo.MigrationStatus;
import com.hazelcast.internal.partition.MigrationStateImpl;
import com.hazelcast.internal.partition.PartitionReplica;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaMigrationRetryTest {
    private final Members members = new Members(1);

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    void copiesAreMadeAgainSoonAfterOneFailed() {
        var node = Replicas.nodeOf(members.start(1).member());
        var service = node.partitionService;
        // Like Hazelcast after a failed migration, but without its own timer, so that only the retry resumes
        // migrations.
        service.pauseMigration();
        assertThat(service.areMigrationTasksAllowed()).isFalse();

        service.getPartitionEventManager().sendMigrationEvent(new MigrationStateImpl(0, 1, 0, 0), failed(node), 0);

        await().atMost(Duration.ofSeconds(20)).until(service::areMigrationTasksAllowed);
    }

    private static MigrationInfo failed(Node node) {
        var here = PartitionReplica.from(node.getLocalMember());
        return new MigrationInfo(0, here, here, 0, 1, -1, 0).setStatus(MigrationStatus.FAILED);
    }
}
