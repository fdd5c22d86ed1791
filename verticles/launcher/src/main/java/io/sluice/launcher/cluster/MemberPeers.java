package io.sluice.launcher.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The processes that are Hazelcast members, each with the attributes that it has set when it joined. */
final class MemberPeers implements Peers {
    private final Peer self;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private volatile List<Peer> all;
    private volatile List<Peer> oldestFirst;

    MemberPeers(HazelcastInstance member) {
        self = peer(member.getCluster().getLocalMember());
        all = List.of(self);
        oldestFirst = all;
    }

    private static Peer peer(Member member) {
        var roles = member.getAttribute(MemberSettings.ROLES);
        return new Peer(
                String.valueOf(member.getAttribute(MemberSettings.NODE_ID)),
                roles == null || roles.isEmpty()
                        ? Set.of()
                        : Arrays.stream(roles.split(",")).collect(Collectors.toUnmodifiableSet()),
                member.getAddress().getHost() + ":" + member.getAddress().getPort());
    }

    /** Sets the current members, the oldest first, as in Hazelcast's order. */
    void observe(Set<Member> members) {
        var observed = members.stream().map(MemberPeers::peer).toList();
        if (!observed.equals(oldestFirst)) {
            oldestFirst = observed;
            all = observed.stream().sorted(Comparator.comparing(Peer::id)).toList();
            watchers.forEach(Runnable::run);
        }
    }

    @Override
    public Peer self() {
        return self;
    }

    @Override
    public List<Peer> all() {
        return all;
    }

    @Override
    public List<Peer> oldestFirst() {
        return oldestFirst;
    }

    @Override
    public Watching watch(Runnable changed) {
        watchers.add(changed);
        return () -> watchers.remove(changed);
    }
}
