package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** A VM of a {@link SyntheticFleet}; sizes are in compute units. */
public final class SyntheticVm {
    final String key;
    String node;
    public int size;
    int goal;
    final int max;
    public String waiting;
    long waitingSince;
    String reason;

    SyntheticVm(String key, String node, int size, int goal, int max, String waiting, String reason) {
        this.key = key;
        this.node = node;
        this.size = size;
        this.goal = goal;
        this.max = max;
        this.waiting = waiting;
        this.reason = reason;
    }

    int permit() {
        return waiting.equals("PATCH") || waiting.equals("DRIVER") ? Math.max(size, goal) : size;
    }

    /** Changes size and goal at random. */
    void move(Random random) {
        waitingSince = System.currentTimeMillis();
        if (waiting.equals("PATCH")) {
            size = goal;
            waiting = size == max ? "MAX" : "NOTHING";
        } else {
            goal = Math.clamp(size + random.nextInt(-2, 3), 1, max);
            waiting = goal == size ? "NOTHING" : "PATCH";
        }
        reason = "goal " + goal + " CU";
    }

    public ObjectNode json() {
        var vm = SyntheticFleet.JSON
                .objectNode()
                .put("key", key)
                .put("uid", "uid-of-" + key)
                .put("driver", key.equals("default/catalog") ? "pod" : "neonvm")
                .put("node", node)
                .put("phase", "Running")
                .put("autoscaled", true);
        vm.set("size", SyntheticFleet.amount(size));
        vm.set("shown", SyntheticFleet.amount(size));
        vm.set("goal", waiting.equals("METRICS") ? SyntheticFleet.JSON.nullNode() : SyntheticFleet.amount(goal));
        vm.set("permit", SyntheticFleet.amount(permit()));
        vm.set("max", SyntheticFleet.amount(max));
        return vm.put("waiting", waiting)
                .put("waitingSince", waitingSince)
                .put("reason", reason)
                .put("migratable", true);
    }
}
