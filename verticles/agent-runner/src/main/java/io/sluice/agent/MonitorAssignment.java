package io.sluice.agent;

import io.sluice.shell.Assignment;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Optional;

/**
 * Which process keeps the session with a VM's monitor: this process if it can, else the one that the VM is assigned to.
 */
final class MonitorAssignment {
    private static final String AGENT = "agent";
    private static final String MONITOR = "monitor";

    private final Peers peers;

    MonitorAssignment(Peers peers) {
        this.peers = peers;
    }

    /** The process to which this one sends the request; empty for any process that consumes the address. */
    String nearest(VmId vm) {
        return nearestTo(peers.self(), vm).orElse("");
    }

    /** Whether the runner of another agent would request the VM's session at that process too. */
    boolean mayServeOthers(VmId vm, String at) {
        return peers.all().stream()
                .filter(peer -> peer.roles().contains(AGENT) && !peer.equals(peers.self()))
                .anyMatch(peer -> nearestTo(peer, vm).filter(at::equals).isPresent());
    }

    private Optional<String> nearestTo(Peer peer, VmId vm) {
        var observed = peers.alone() || peer.equals(peers.self()) ? peers : new VisibleTo(peer, peers);
        return new Assignment(observed, MONITOR).nearest(vm.label());
    }

    /** The same processes from the view of another of them. */
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
