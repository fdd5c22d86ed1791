package io.sluice.pressure.core;

import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.NodeRoom;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The state of this role for the dump.
 *
 * @param rules the rules for all migrations
 * @param listed whether a full list of the migrations was received
 * @param migrations all migrations
 * @param nodes the sums of each node
 * @param closed why a node accepts no VM, by its name
 * @param resting the remaining cooldown of each VM
 */
public record PressureView(
        PressureRules rules,
        boolean listed,
        List<MigrationView> migrations,
        List<NodeRoom> nodes,
        Map<String, String> closed,
        Map<String, Cooldown> resting) {
    public PressureView {
        Objects.requireNonNull(rules, "rules");
        migrations = List.copyOf(migrations);
        nodes = List.copyOf(nodes);
        closed = Map.copyOf(closed);
        resting = new TreeMap<>(resting);
    }
}
