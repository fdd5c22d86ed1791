package io.sluice.neonvm.patch;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The compute units of the last permit requests, by pod. Each node's ledger is read at most once a minute. */
final class ScalingUnits {
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int NODES_MAX = 10_000;

    private final Bus bus;
    private final InstantSource clock;
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    ScalingUnits(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    private record Node(Instant requestedAt, Map<String, Resources> units) {}

    /** Empty if the unit is not stored yet; then it is requested, and a later call returns it. */
    Optional<Resources> of(String node, String pod) {
        var known = nodes.get(node);
        var unit = known == null ? null : known.units().get(pod);
        var now = clock.instant();
        if (unit == null && (known == null || !now.isBefore(known.requestedAt().plus(AGAIN)))) {
            nodes.put(node, new Node(now, known == null ? Map.of() : known.units()));
            request(node, now);
            if (nodes.size() > NODES_MAX) {
                nodes.remove(nodes.keySet().iterator().next());
            }
        }
        return Optional.ofNullable(unit);
    }

    /** Without a reply the units stay unknown, and the next call that misses one requests them again. */
    private void request(String node, Instant requestedAt) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node)).onSuccess(snapshot -> {
            var units = new HashMap<String, Resources>();
            for (var ledger : snapshot.nodes()) {
                for (var reservation : ledger.reservations()) {
                    if (!reservation.traits().unit().hasZero()) {
                        units.put(reservation.pod(), reservation.traits().unit());
                    }
                }
            }
            nodes.put(node, new Node(requestedAt, units));
        });
    }
}
