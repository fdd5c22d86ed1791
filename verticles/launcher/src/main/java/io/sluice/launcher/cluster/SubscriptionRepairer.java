package io.sluice.launcher.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.multimap.MultiMap;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.impl.HazelcastNodeInfo;
import io.vertx.spi.cluster.hazelcast.impl.HazelcastRegistrationInfo;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Repairs wrong subscriptions that Vert.x leaves when members come and go: addresses of processes that are gone, to
 * which requests would be sent in vain; addresses of this process that a merge or a loss of replicas removed; and
 * routes that the bus caches although the addresses changed. Compares all of them each time; its calls wait, so it
 * needs a thread that may block.
 */
final class SubscriptionRepairer {
    private final HazelcastInstance member;
    private final RetryingClusterManager manager;
    private final MultiMap<String, HazelcastRegistrationInfo> subscriptions;
    private final Map<String, HazelcastNodeInfo> nodeInfo;
    private Set<String> suspects = Set.of();
    private Snapshot last;
    private boolean membersChanged;

    SubscriptionRepairer(HazelcastInstance member, RetryingClusterManager manager) {
        this.member = member;
        this.manager = manager;
        subscriptions = member.getMultiMap(MemberSettings.SUBSCRIPTIONS);
        nodeInfo = member.getMap(MemberSettings.NODE_INFO);
        last = new Snapshot(members(), Set.of());
    }

    private record Snapshot(Set<String> members, Set<Map.Entry<String, RegistrationInfo>> registrations) {}

    /**
     * What was repaired.
     *
     * @param dropped addresses of processes that are gone
     * @param published whether addresses of this process, or its endpoint, were missing and are published again; events
     *     of others may not have reached it
     * @param membersChanged whether other members were found than the time before; events that this process published
     *     between may have reached nobody
     */
    record Repairs(int dropped, boolean published, boolean membersChanged) {
        boolean anything() {
            return dropped > 0 || published;
        }
    }

    /**
     * Repairs everything that is wrong. Fails like any call of Hazelcast while its partitions change owners; the next
     * call repairs the rest.
     */
    Repairs look() {
        var members = members();
        var registrations = subscriptions.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue().unwrap()))
                .collect(Collectors.toSet());
        // First, as it needs no other member, while the following calls may fail.
        dropRoutes(new Snapshot(members, registrations));
        var repairs = new Repairs(dropStrangers(registrations, members), publish(registrations), membersChanged);
        membersChanged = false;
        return repairs;
    }

    private Set<String> members() {
        return member.getCluster().getMembers().stream()
                .map(SubscriptionRepairer::id)
                .collect(Collectors.toSet());
    }

    /**
     * Drops routes that differ from the registrations. The bus receives notifications of single changes only, and keeps
     * its routes until one comes.
     */
    private void dropRoutes(Snapshot now) {
        membersChanged |= !now.members().equals(last.members());
        if (!now.equals(last)) {
            Stream.concat(last.registrations().stream(), now.registrations().stream())
                    .map(Map.Entry::getKey)
                    .distinct()
                    .forEach(manager::dropRoute);
            last = now;
        }
    }

    /**
     * Drops addresses of processes that were no members in two calls in a row: not all members observe a new one at
     * once.
     */
    private int dropStrangers(Set<Map.Entry<String, RegistrationInfo>> registrations, Set<String> members) {
        var strangers = new HashSet<String>();
        int dropped = 0;
        for (var entry : registrations) {
            var id = entry.getValue().nodeId();
            if (members.contains(id)) {
                continue;
            }
            strangers.add(id);
            if (suspects.contains(id)
                    && subscriptions.remove(entry.getKey(), new HazelcastRegistrationInfo(entry.getValue()))) {
                dropped++;
            }
        }
        suspects = strangers;
        return dropped;
    }

    private boolean publish(Set<Map.Entry<String, RegistrationInfo>> registrations) {
        boolean missing = false;
        for (var own : manager.registered()) {
            if (registrations.contains(own)) {
                continue;
            }
            missing = true;
            var registration = new HazelcastRegistrationInfo(own.getValue());
            subscriptions.put(own.getKey(), registration);
            if (!manager.registered().contains(own)) {
                subscriptions.remove(own.getKey(), registration);
            }
        }
        if (!nodeInfo.containsKey(manager.getNodeId())) {
            missing = true;
            nodeInfo.put(manager.getNodeId(), new HazelcastNodeInfo(manager.getNodeInfo()));
        }
        return missing;
    }

    private static String id(Member member) {
        return String.valueOf(member.getAttribute(MemberSettings.NODE_ID));
    }
}
