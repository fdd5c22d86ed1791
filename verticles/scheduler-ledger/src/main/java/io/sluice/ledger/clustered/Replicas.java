package io.sluice.ledger.clustered;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Where the replicas of a node ledger are, by this member's own partition table. The public API does not show where
 * replicas are, so this class uses internals of Hazelcast; only {@link ReplicaMigrationRetry} does so too.
 */
final class Replicas {
    private final Node here;

    Replicas(HazelcastInstance member) {
        here = nodeOf(member);
    }

    static Node nodeOf(HazelcastInstance member) {
        var original = member instanceof HazelcastInstanceProxy proxy ? proxy.getOriginal() : member;
        return ((HazelcastInstanceImpl) original).node;
    }

    /**
     * Which of these replicas of the node ledger is missing; empty where none is. A replica is in the table only once
     * all earlier state has been sent to it.
     *
     * @param confirms whether a member would confirm a replica now
     */
    Optional<GrantRefusal> missing(String node, int copies, Predicate<UUID> confirms) {
        var service = here.getPartitionService();
        var partition = service.getPartition(service.getPartitionId(node), false);
        if (!partition.isLocal()) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.NOT_OWNER, "the ledger of node " + node + " is owned by another member now"));
        }
        for (int copy = 1; copy <= copies; copy++) {
            if (!isThere(partition, copy, confirms)) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.COPY_MISSING,
                        "replica " + copy + " of " + copies + " of the ledger of node " + node + " is missing"));
            }
        }
        return Optional.empty();
    }

    private boolean isThere(InternalPartition partition, int copy, Predicate<UUID> confirms) {
        PartitionReplica replica = partition.getReplica(copy);
        return replica != null
                && confirms.test(replica.uuid())
                && here.getClusterService().getMember(replica.address(), replica.uuid()) != null;
    }
}
