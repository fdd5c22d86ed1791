package io.sluice.launcher.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.multimap.MultiMap;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import io.vertx.spi.cluster.hazelcast.impl.HazelcastRegistrationInfo;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Mends what the bus' own bookkeeping leaves broken when members come and go: addresses of processes that are no more,
 * to which every other question would be sent in vain, and addresses of this process that a merge or a loss of copies
 * took away. Looks at all of them each time; its calls wait, so it has a thread that may.
 */
final class BusWatch {
    private final HazelcastInstance member;
    private final HazelcastClusterManager manager;
    private final MultiMap<String, HazelcastRegistrationInfo> subscriptions;
    private final Map<String, ?> nodeInfo;
    private Set<String> suspects = Set.of();
    private int expected;

    BusWatch(HazelcastInstance member, HazelcastClusterManager manager) {
        this.member = member;
        this.manager = manager;
        subscriptions = member.getMultiMap(MemberSettings.SUBSCRIPTIONS);
        nodeInfo = member.getMap(MemberSettings.NODE_INFO);
    }

    /**
     * What was mended.
     *
     * @param dropped addresses of processes that are no more
     * @param published whether this process made its own addresses known again
     */
    record Mended(int dropped, boolean published) {
        boolean anything() {
            return dropped > 0 || published;
        }
    }

    /** Fails like any call of Hazelcast while its partitions change hands; the next time it is made good. */
    Mended look() {
        var known = member.getCluster().getMembers().stream().map(BusWatch::id).collect(Collectors.toSet());
        var strangers = new HashSet<String>();
        int own = 0;
        int dropped = 0;
        for (var entry : subscriptions.entrySet()) {
            var id = entry.getValue().unwrap().nodeId();
            if (id.equals(manager.getNodeId())) {
                own++;
            } else if (!known.contains(id)) {
                strangers.add(id);
                // Whoever joins is a member before its addresses come, but not everywhere at once: looked at twice.
                if (suspects.contains(id) && subscriptions.remove(entry.getKey(), entry.getValue())) {
                    dropped++;
                }
            }
        }
        suspects = strangers;
        boolean lost = own < expected || !nodeInfo.containsKey(manager.getNodeId());
        if (lost) {
            publish();
            // Fewer after that: some of them are not served any more.
            own = count();
        }
        expected = own;
        return new Mended(dropped, lost);
    }

    private int count() {
        int own = 0;
        for (var registration : subscriptions.values()) {
            if (registration.unwrap().nodeId().equals(manager.getNodeId())) {
                own++;
            }
        }
        return own;
    }

    /** Has the cluster manager do what it does after a merge: all addresses of this process are put down anew. */
    void publish() {
        manager.stateChanged(new LifecycleEvent(LifecycleState.MERGED));
    }

    private static String id(Member member) {
        return String.valueOf(member.getAttribute(MemberSettings.NODE_ID));
    }
}
