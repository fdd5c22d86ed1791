package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sends stores the requests that these tests need, and waits for the replies. */
final class NodeStates {
    static final Resources TOTAL = new Resources(10_000, 1L << 40);
    static final Resources ROOM = new Resources(1_000, 1L << 30);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private NodeStates() {}

    /**
     * A node whose ledger that member owns and keeps: members that have joined keep their partitions, and replicas are
     * made.
     */
    static String nodeOf(Members.Started owner) {
        await().atMost(WAIT).until(() -> isSettled(owner.member()));
        return IntStream.range(0, 10_000)
                .mapToObj(number -> "node-" + number)
                .filter(node -> owner.member()
                        .getPartitionService()
                        .getPartition(node)
                        .getOwner()
                        .localMember())
                .findFirst()
                .orElseThrow();
    }

    /** The member that has the replica of a node ledger. */
    static Members.Started copyOf(Members.Started owner, String node, List<Members.Started> others) {
        var partitions = Replicas.nodeOf(owner.member()).getPartitionService();
        var copy = partitions.getPartition(partitions.getPartitionId(node)).getReplica(1);
        return others.stream()
                .filter(one ->
                        one.member().getCluster().getLocalMember().getUuid().equals(copy.uuid()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isSettled(HazelcastInstance member) {
        var partitions = member.getPartitionService();
        var owners =
                partitions.getPartitions().stream().map(Partition::getOwner).collect(Collectors.toSet());
        return owners.containsAll(keepers(member)) && partitions.isClusterSafe();
    }

    private static Set<Member> keepers(HazelcastInstance member) {
        return member.getCluster().getMembers().stream()
                .filter(one -> !one.isLiteMember())
                .collect(Collectors.toSet());
    }

    /** Completes the node as soon as that is possible. */
    static void load(LedgerStore store, String node) {
        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(() -> store.run(
                                node, new LedgerCommand.Load(list(node).relist(relist(store, node))))
                        .await());
    }

    static LoadNode list(String node) {
        return new LoadNode(new NodeObserved(node, 1, TOTAL), 1, List.of(), List.of());
    }

    /** The incarnation that a list of the node has to name if it is requested from now on. */
    static long relist(LedgerStore store, String node) {
        return store.run(node, new LedgerCommand.Load(LoadNode.ahead(list(node).node())))
                .await()
                .relist()
                .orElseThrow();
    }

    static Future<HoldReply> hold(LedgerStore store, String node, String holder) {
        return store.run(node, new LedgerCommand.Hold(holding(node, holder, Duration.ofSeconds(10))));
    }

    static HoldRoom holding(String node, String holder, Duration ttl) {
        return new HoldRoom(node, holder, "ns", holder, "", ROOM, Overcommit.OFF, ttl);
    }

    static void assertHeld(Future<HoldReply> request) {
        assertThat(request.await()).isInstanceOf(HoldReply.Held.class);
    }

    static NodeState read(LedgerStore store, String node) {
        return store.read(node).await().orElseThrow();
    }

    static int tick(LedgerStore store, String node) {
        return store.run(node, new LedgerCommand.Tick()).await();
    }

    /** The failure of a request. */
    static Throwable failure(Future<?> request) {
        var failure = catchThrowable(() -> request.await());
        assertThat(failure).as("it got a reply").isNotNull();
        return failure;
    }
}
