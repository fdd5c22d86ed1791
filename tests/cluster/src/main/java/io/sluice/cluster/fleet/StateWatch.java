package io.sluice.cluster.fleet;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Reads the ledger's snapshots periodically: which nodes are incomplete, and how long VMs stay at their maximum because
 * ledger state was lost.
 */
public final class StateWatch implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(400);

    private final List<String> nodes;
    private final Supplier<Optional<List<NodeLedgerView>>> snapshots;
    private final Map<String, Long> atMaximumSince = new HashMap<>();
    private final Set<String> incomplete = new TreeSet<>();
    private Set<String> incompleteBefore = Set.of();
    private long longestNanos;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** @param nodes the nodes that every snapshot should contain */
    public StateWatch(List<String> nodes, Supplier<Optional<List<NodeLedgerView>>> snapshots) {
        this.nodes = List.copyOf(nodes);
        this.snapshots = snapshots;
    }

    /**
     * What the snapshots showed.
     *
     * @param atMaximumMs the longest time that a VM stayed at its maximum, before its agent's first request
     * @param incomplete nodes that were incomplete, or missing, in two consecutive snapshots
     */
    public record Observed(long atMaximumMs, List<String> incomplete) {
        /** The result without any snapshot. */
        static final Observed NOTHING = new Observed(0, List.of());
    }

    public void start() {
        thread = Thread.ofVirtual().start(this::look);
    }

    private void look() {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                snapshots.get().ifPresent(snapshot -> take(snapshot, System.nanoTime()));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void take(List<NodeLedgerView> snapshot, long now) {
        var complete = new HashSet<String>();
        var recovered = new HashSet<String>();
        for (var node : snapshot) {
            if (node.complete()) {
                complete.add(node.node());
            }
            node.reservations().stream()
                    .filter(ReservationView::recovered)
                    .map(ReservationView::pod)
                    .forEach(recovered::add);
        }
        var lacking = new HashSet<>(nodes);
        lacking.removeAll(complete);
        lacking.stream().filter(incompleteBefore::contains).forEach(incomplete::add);
        incompleteBefore = lacking;
        measure(recovered, now);
    }

    private void measure(Set<String> recovered, long now) {
        atMaximumSince.values().forEach(since -> longestNanos = Math.max(longestNanos, now - since));
        atMaximumSince.keySet().retainAll(recovered);
        recovered.forEach(pod -> atMaximumSince.putIfAbsent(pod, now));
    }

    /** What the snapshots showed since the last call. */
    public synchronized Observed take() {
        var observed = new Observed(longestNanos / 1_000_000, List.copyOf(incomplete));
        longestNanos = 0;
        incomplete.clear();
        return observed;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
