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
 * All that is known, as people read it.
 *
 * @param rules what holds for all migrations
 * @param listed whether what migrations there are was heard
 * @param migrations those that are known
 * @param nodes what each node has promised
 * @param closed why nothing new may go to a node, by its name
 * @param resting how much longer each VM stays after its last migration
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
