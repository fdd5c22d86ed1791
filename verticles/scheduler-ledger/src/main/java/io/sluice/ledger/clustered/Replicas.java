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
 * Where the copies of a node's books are, by this member's own table of partitions. It looks into Hazelcast's
 * internals, as does {@link ReplicaMigrationRetry} alone besides: the public API does not tell where copies are.
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
     * What is missing for the node's books to be on so many members; empty where nothing is. A copy is in the table
     * only once all that there was has been copied to it.
     *
     * @param confirms whether a member would confirm a copy now
     */
    Optional<GrantRefusal> missing(String node, int copies, Predicate<UUID> confirms) {
        var service = here.getPartitionService();
        var partition = service.getPartition(service.getPartitionId(node), false);
        if (!partition.isLocal()) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.NOT_OWNER, "the books of node " + node + " have moved to another member"));
        }
        for (int copy = 1; copy <= copies; copy++) {
            if (!isThere(partition, copy, confirms)) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.COPY_MISSING,
                        "copy " + copy + " of " + copies + " of the books of node " + node + " is not made yet"));
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
