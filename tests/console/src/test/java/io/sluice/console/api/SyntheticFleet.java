package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A synthetic fleet of any size, in the form in which the console receives it; the same seed gives the same fleet. */
public final class SyntheticFleet {
    public static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final long GIB = 1L << 30;
    private static final int UNIT_MILLI = 250;
    private static final int DECISIONS_MAX = 100;

    private final Random random;
    private final long startedAt = System.currentTimeMillis() - 7_200_000;
    private final Map<String, SyntheticNode> nodes = new LinkedHashMap<>();
    private final Map<String, SyntheticVm> vms = new TreeMap<>();
    private final List<SyntheticVm> order = new ArrayList<>();
    private final List<ObjectNode> migrations = new ArrayList<>();
    private final List<ObjectNode> decisions = new ArrayList<>();

    SyntheticFleet(long seed) {
        random = new Random(seed);
    }

    /** Twelve VMs on three nodes, one of each kind of trouble. */
    public static SyntheticFleet small() {
        var fleet = new SyntheticFleet(7);
        fleet.node("node-a", 10, 40).node("node-b", 10, 40).node("node-c", 8, 32);
        fleet.vm("catalog", "node-a", 7, 7, 16, "NOTHING", "goal 7 CU: cpu wants 6.91 (load1 1.64)");
        fleet.vm("encoder", "node-a", 3, 2, 16, "MONITOR", "a downscale to 2 CU was requested from the monitor");
        fleet.vm("search", "node-a", 8, 9, 12, "PATCH", "the patch to 9 CU is under way");
        fleet.vm("mailer", "node-a", 1, 1, 8, "NOTHING", "");
        fleet.vm(
                "feeds",
                "node-c",
                10,
                12,
                16,
                "ROOM",
                "cpu: requested 3000m, permitted 2500m: node node-c has 0m of 8000m left");
        fleet.vm("billing", "node-c", 6, 6, 12, "NOTHING", "");
        fleet.vm("reports", "node-c", 8, 8, 8, "MAX", "the load needs 11.4 CU, its maximum is 8");
        fleet.vm(
                "sessions",
                "node-c",
                5,
                5,
                12,
                "MIGRATION",
                "moves to node-b: node-c is 1.25 cores above its watermark");
        fleet.vm(
                "timeline",
                "node-b",
                4,
                2,
                12,
                "DENIED_DOWNSCALE",
                "threshold would be 785.4 MiB, below 745.0 MiB in use and 100.0 MiB to spare");
        fleet.vm("metrics", "node-b", 5, 5, 12, "NOTHING", "");
        fleet.vm("archive", "node-b", 2, 2, 8, "RETRY", "the patch failed (409 Conflict); again in 4 s");
        fleet.vm("gateway", "node-b", 3, 3, 8, "METRICS", "no answer from 10.1.0.12:9100 for 35 s");
        fleet.nodes.get("node-c").press(UNIT_MILLI * 2, 2 * GIB);
        fleet.migrate("default/sessions", "node-b", "RUNNING");
        for (int i = 0; i < 40; i++) {
            fleet.decide(fleet.order.get(fleet.random.nextInt(fleet.order.size())), (40 - i) * 4_300L);
        }
        return fleet;
    }

    /** The small one, beside two workers with three instances. */
    public static SyntheticFleet withWorkers() {
        var fleet = small();
        fleet.node("worker:edge-1", 4, 16).node("worker:edge-2", 4, 16);
        fleet.vm("camera", "worker:edge-1", 4, 4, 16, "NOTHING", "");
        fleet.vm("gate", "worker:edge-1", 2, 2, 16, "NOTHING", "");
        fleet.vm("counter", "worker:edge-2", 1, 1, 16, "NOTHING", "");
        return fleet;
    }

    /** So many nodes with so many VMs each, one in a hundred nodes under pressure, a few migrations. */
    public static SyntheticFleet large(int nodeCount, int vmsPerNode) {
        var fleet = new SyntheticFleet(11);
        var waits = List.of(
                "NOTHING",
                "NOTHING",
                "NOTHING",
                "NOTHING",
                "NOTHING",
                "PATCH",
                "ROOM",
                "MAX",
                "DENIED_DOWNSCALE",
                "DRIVER");
        for (int n = 0; n < nodeCount; n++) {
            var node = "node-%04d".formatted(n);
            fleet.node(node, 32, 128);
            for (int v = 0; v < vmsPerNode; v++) {
                int max = 8 + 4 * fleet.random.nextInt(3);
                int size = 1 + fleet.random.nextInt(max);
                int goal = Math.clamp(size + fleet.random.nextInt(-2, 3), 1, max);
                var wait = size == max ? "MAX" : waits.get(fleet.random.nextInt(waits.size()));
                fleet.vm("vm-%04d-%02d".formatted(n, v), node, size, goal, max, wait, "goal " + goal + " CU");
            }
            if (n % 100 == 3) {
                fleet.nodes.get(node).press(4 * UNIT_MILLI, 4 * GIB);
            }
        }
        for (int m = 0; m < Math.min(12, nodeCount / 2); m++) {
            fleet.migrate("default/vm-%04d-00".formatted(m * 2), "node-%04d".formatted(m * 2 + 1), "RUNNING");
        }
        for (int i = 0; i < DECISIONS_MAX; i++) {
            fleet.decide(fleet.order.get(fleet.random.nextInt(fleet.order.size())), (DECISIONS_MAX - i) * 500L);
        }
        return fleet;
    }

    public SyntheticFleet node(String name, int cores, long gib) {
        nodes.put(name, new SyntheticNode(name, cores * 1000L, gib * GIB));
        return this;
    }

    public SyntheticFleet vm(String name, String node, int size, int goal, int max, String waiting, String reason) {
        var vm = new SyntheticVm("default/" + name, node, size, goal, max, waiting, reason);
        vm.waitingSince = System.currentTimeMillis() - 1000 - random.nextInt(90_000);
        vms.put(vm.key, vm);
        order.add(vm);
        nodes.get(node).vms.add(vm);
        return this;
    }

    SyntheticFleet migrate(String key, String to, String phase) {
        var vm = vms.get(key);
        vm.waiting = "MIGRATION";
        migrations.add(JSON.objectNode()
                .put("name", "schedplugin-" + vm.key.substring(8))
                .put("vm", key)
                .put("phase", phase)
                .put("from", vm.node)
                .put("to", to)
                .put("sinceMs", System.currentTimeMillis() - 12_000)
                .put("ours", true));
        return this;
    }

    public void endMigrations() {
        migrations.clear();
    }

    /** The whole fleet. */
    synchronized ObjectNode picture() {
        var fleet = JSON.objectNode().put("at", System.currentTimeMillis());
        var process = fleet.putObject("process").put("version", "0.1.0").put("startedAt", startedAt);
        process.putArray("roles").add("all").add("lab");
        var allNodes = fleet.putArray("nodes");
        nodes.values().forEach(node -> allNodes.add(node.json()));
        var allVms = fleet.putArray("vms");
        vms.values().forEach(vm -> allVms.add(vm.json()));
        fleet.putArray("migrations").addAll(migrations);
        fleet.putArray("decisions").addAll(decisions);
        return fleet;
    }

    /** Changes so many VMs, and returns the difference. */
    public synchronized ObjectNode stir(int many) {
        var delta = JSON.objectNode().put("at", System.currentTimeMillis());
        var changedNodes = new LinkedHashMap<String, SyntheticNode>();
        var changed = delta.putArray("vms");
        var decided = new ArrayList<ObjectNode>();
        for (int i = 0; i < many; i++) {
            var vm = order.get(random.nextInt(order.size()));
            vm.move(random);
            changed.add(vm.json());
            changedNodes.put(vm.node, nodes.get(vm.node));
            if (i < 5) {
                decided.add(decide(vm, 0));
            }
        }
        var allNodes = delta.putArray("nodes");
        changedNodes.values().forEach(node -> allNodes.add(node.json()));
        delta.putArray("nodesGone");
        delta.putArray("vmsGone");
        delta.putArray("decisions").addAll(decided);
        return delta;
    }

    ObjectNode node(String name) {
        return nodes.containsKey(name) ? nodes.get(name).json() : null;
    }

    List<SyntheticVm> vmsOn(String node) {
        return nodes.get(node).vms;
    }

    public SyntheticVm vm(String key) {
        return vms.get(key);
    }

    private ObjectNode decide(SyntheticVm vm, long agoMs) {
        var kinds = List.of(
                "SCALED_UP",
                "SCALED_DOWN",
                "SCALED_UP",
                "DENIED",
                "DOWNSCALE_DENIED",
                "UPSCALE_REQUESTED",
                "SCALED_DOWN",
                "MOVING");
        var kind = kinds.get(random.nextInt(kinds.size()));
        int more =
                kind.equals("SCALED_DOWN") || kind.equals("DOWNSCALE_DENIED") ? Math.max(1, vm.size - 1) : vm.size + 1;
        var decision = JSON.objectNode()
                .put("at", System.currentTimeMillis() - agoMs)
                .put("kind", kind)
                .put("vm", vm.key)
                .put("node", vm.node)
                .put("toNode", kind.equals("MOVING") ? nodes.keySet().iterator().next() : "");
        decision.set("from", amount(vm.size));
        decision.set("to", amount(more));
        decision.put("reason", reason(kind, vm, more));
        decisions.add(decision);
        if (decisions.size() > DECISIONS_MAX) {
            decisions.removeFirst();
        }
        return decision;
    }

    /** Adds a decision for a VM at the present time, with that reason. */
    public void decideFor(String key, String reason) {
        decide(vms.get(key), 0).put("reason", reason);
    }

    private static String reason(String kind, SyntheticVm vm, int to) {
        return switch (kind) {
            case "DENIED" ->
                "cpu: requested %dm, permitted %dm: node %s has 0m left".formatted(to * 250, vm.size * 250, vm.node);
            case "DOWNSCALE_DENIED" -> "threshold would be 785.4 MiB, below 745.0 MiB in use and 100.0 MiB to spare";
            case "UPSCALE_REQUESTED" -> "the monitor requests more memory: goal " + to + " CU";
            case "MOVING" -> vm.node + " is 1.25 cores above its watermark; the VM asks least";
            default ->
                "goal %d CU: cpu needs %d.%02d (load1 1.02), memory needs 1.07 (818 MiB in use)"
                        .formatted(to, to - 1, 37);
        };
    }

    /** So many compute units as an amount. */
    static ArrayNode amount(int units) {
        return JSON.arrayNode().add(units * (long) UNIT_MILLI).add(units * GIB);
    }

    static ArrayNode amount(long milli, long bytes) {
        return JSON.arrayNode().add(milli).add(bytes);
    }
}
