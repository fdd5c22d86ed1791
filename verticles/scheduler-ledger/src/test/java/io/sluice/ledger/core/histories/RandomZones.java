package io.sluice.ledger.core.histories;

import io.sluice.devices.NodeZones;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Reports of NUMA zones and requests of them, drawn from few values so that they collide. */
public record RandomZones(Random random) {
    private static final long CPU = 1_000;

    /** A report of up to three zones, mostly new, and mostly with the pods of the ledger. */
    public NodeZones report(NodeState state) {
        var zones = new ArrayList<Zone>();
        for (int id = 0; id < random.nextInt(4); id++) {
            var most = FixedAmounts.of(Map.of("cpu", CPU * random.nextInt(5), "nic", (long) random.nextInt(3)));
            zones.add(new Zone(id, most, random.nextBoolean() ? most : most.min(request()), Map.of(id + 1, 20)));
        }
        var policies = NodeZones.Policy.values();
        boolean refuses = random.nextInt(4) > 0;
        long known = state.size().devices().zones().version();
        return new NodeZones(
                refuses ? NodeZones.Policy.SINGLE_ZONE : policies[random.nextInt(policies.length)],
                random.nextBoolean(),
                NodeZones.ZONES_MAX,
                Math.max(0, known + random.nextInt(6) - 1),
                pods(state),
                zones);
    }

    private String pods(NodeState state) {
        if (random.nextInt(4) == 0) {
            return random.nextBoolean() ? "" : "of-others";
        }
        var pods = new ArrayList<Map.Entry<String, String>>();
        state.reservations()
                .forEach(reservation -> pods.add(Map.entry(
                        reservation.pod().namespace(), reservation.pod().name())));
        return PodFingerprint.of(pods);
    }

    /** What a pod requests of zones, as a part of its amounts; mostly nothing. */
    public FixedAmounts aligned() {
        if (random.nextInt(3) > 0) {
            return FixedAmounts.NONE;
        }
        var containers = random.nextBoolean() ? List.of(request()) : List.of(request(), request());
        return new ZoneRequest(containers, random.nextInt(4) == 0 ? List.of(request()) : List.of()).kinds();
    }

    private FixedAmounts request() {
        var request = new HashMap<String, Long>();
        request.put("cpu", CPU * random.nextInt(3));
        if (random.nextInt(3) == 0) {
            request.put("nic", 1L);
        }
        return FixedAmounts.of(request);
    }
}
