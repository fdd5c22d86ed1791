package io.sluice.neonvm;

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

/** The compute units that members last asked the ledger with: a node is asked about at most once a minute. */
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

    private record Node(Instant askedAt, Map<String, Resources> units) {}

    /** Empty where it is not known yet; it is asked for then, and a later call knows it. */
    Optional<Resources> of(String node, String member) {
        var known = nodes.get(node);
        var unit = known == null ? null : known.units().get(member);
        var now = clock.instant();
        if (unit == null && (known == null || !now.isBefore(known.askedAt().plus(AGAIN)))) {
            nodes.put(node, new Node(now, known == null ? Map.of() : known.units()));
            ask(node, now);
            if (nodes.size() > NODES_MAX) {
                nodes.remove(nodes.keySet().iterator().next());
            }
        }
        return Optional.ofNullable(unit);
    }

    /** Without an answer the units stay unknown, and are asked for again with the next call that misses one. */
    private void ask(String node, Instant askedAt) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node)).onSuccess(snapshot -> {
            var units = new HashMap<String, Resources>();
            for (var books : snapshot.nodes()) {
                for (var member : books.members()) {
                    if (!member.traits().unit().hasZero()) {
                        units.put(member.member(), member.traits().unit());
                    }
                }
            }
            nodes.put(node, new Node(askedAt, units));
        });
    }
}
