package io.sluice.agent;

import io.sluice.shell.Assignment;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Optional;

/** Which process keeps the session with a VM's monitor: this one where it can, else the one that the VM falls to. */
final class MonitorAssignment {
    private static final String AGENT = "agent";
    private static final String MONITOR = "monitor";

    private final Peers peers;

    MonitorAssignment(Peers peers) {
        this.peers = peers;
    }

    /** Whom this process asks; empty for whoever answers. */
    String nearest(VmId vm) {
        return nearestTo(peers.self(), vm).orElse("");
    }

    /** Whether the runner of another agent would ask for the VM's session at that process too. */
    boolean mayServeOthers(VmId vm, String at) {
        return peers.all().stream()
                .filter(peer -> peer.roles().contains(AGENT) && !peer.equals(peers.self()))
                .anyMatch(peer -> nearestTo(peer, vm).filter(at::equals).isPresent());
    }

    private Optional<String> nearestTo(Peer peer, VmId vm) {
        var seen = peers.alone() || peer.equals(peers.self()) ? peers : new VisibleTo(peer, peers);
        return new Assignment(seen, MONITOR).nearest(vm.label());
    }

    /** The same processes, as another of them sees them. */
    private record VisibleTo(Peer self, Peers peers) implements Peers {
        @Override
        public List<Peer> all() {
            return peers.all();
        }

        @Override
        public List<Peer> oldestFirst() {
            return peers.oldestFirst();
        }

        @Override
        public Watching watch(Runnable changed) {
            return peers.watch(changed);
        }
    }
}
