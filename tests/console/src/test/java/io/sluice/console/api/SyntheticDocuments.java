package io.sluice.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The replies for one VM or node of a {@link SyntheticFleet}, its config, and its past. */
public final class SyntheticDocuments implements Function<String, JsonNode> {
    private static final long HOUR_MS = 3_600_000;
    private static final long COARSE_MS = 600_000;
    private static final long STEP_MS = 60_000;
    private static final long FINE_MS = 5_000;
    private static final long FINE_FROM_MS = 600_000;
    private static final long STEP_FROM_MS = 3 * HOUR_MS;
    private static final long HISTORY_MS = 24 * HOUR_MS;
    private static final long GIB = 1L << 30;

    private final SyntheticFleet fleet;

    public SyntheticDocuments(SyntheticFleet fleet) {
        this.fleet = fleet;
    }

    @Override
    public JsonNode apply(String address) {
        var path = URLDecoder.decode(address.split("\\?", 2)[0], StandardCharsets.UTF_8);
        var query = address.contains("?") ? address.split("\\?", 2)[1] : "";
        if (path.matches("/api/vms/.*/.*/bill")) {
            return VmBills.of(path.split("/")[4], Optional.ofNullable(fleet.vm(path.substring(9, path.length() - 5))));
        }
        if (path.startsWith("/api/vms/")) {
            return vm(path.substring("/api/vms/".length()));
        }
        if (path.startsWith("/api/nodes/")) {
            return node(path.substring("/api/nodes/".length()));
        }
        if (path.startsWith("/api/why/")) {
            return why(path.substring("/api/why/".length()), query);
        }
        if (path.startsWith("/api/pods")) {
            return pods(path);
        }
        if (path.equals("/api/gangs")) {
            return Gangs.two("");
        }
        if (path.equals("/api/cluster")) {
            return Clusters.three();
        }
        return path.equals("/api/config") ? config() : null;
    }

    private JsonNode vm(String key) {
        var vm = fleet.vm(key);
        if (vm == null) {
            return null;
        }
        var detail = SyntheticFleet.JSON.objectNode();
        var about = vm.json()
                .put("fence", "runner-7f3a/41")
                .put("podName", key.substring(8) + "-x7k2p")
                .put("metricsAt", "10.1.0.12:9100/metrics")
                .put("fileCacheAt", "10.1.0.12:9499/metrics")
                .put("monitorAt", "10.1.0.12:10301/monitor")
                .put("endpointId", "ep-quiet-forest-41207")
                .put("projectId", "")
                .put("restarts", 2)
                .put("extraIp", "")
                .put("billed", !key.equals("default/sessions"));
        var complaints = about.putArray("complaints");
        if (key.equals("default/mailer")) {
            complaints.add("autoscaling.neon.tech/bounds: <b>min</b> must not be above max;"
                    + " the last valid one stays in force");
        }
        about.set("computeUnit", SyntheticFleet.amount(1));
        about.putObject("bounds")
                .<ObjectNode>set("min", SyntheticFleet.amount(1))
                .set("max", SyntheticFleet.amount(vm.max));
        about.set(
                "basis",
                SyntheticFleet.JSON
                        .objectNode()
                        .put("goalCu", vm.goal)
                        .put("cpuCu", vm.goal - 0.31)
                        .put("memoryCu", vm.goal * 0.6)
                        .putNull("lfcCu")
                        .put("load1", vm.goal * 0.24)
                        .put("load5", vm.goal * 0.21)
                        .put("usageBytes", vm.goal * GIB * 0.6)
                        .put("requestedCu", 0)
                        .put("deniedCu", vm.waiting.equals("DENIED_DOWNSCALE") ? vm.size : 0));
        detail.set("vm", about);
        detail.set("reservation", reservation(vm));
        detail.set("history", history(vm));
        detail.set("why", reasons(vm.key, vm.node));
        return detail;
    }

    /**
     * As the console keeps it: coarse steps, then fine ones; with a gap, and nothing from before the VM was observed.
     */
    private static ObjectNode history(SyntheticVm vm) {
        var history = SyntheticFleet.JSON
                .objectNode()
                .put("coarseStepMs", COARSE_MS)
                .put("stepMs", STEP_MS)
                .put("fineStepMs", FINE_MS);
        var at = history.putArray("at");
        List.of("cpuSize", "cpuGoal", "memSize", "memGoal", "load1", "usage").forEach(history::putArray);
        long now = System.currentTimeMillis();
        for (long ago = HISTORY_MS; ago > 0; ago -= step(ago)) {
            at.add(now - ago);
            boolean gap = ago > HISTORY_MS * 9 / 10
                    || (ago < 9 * HOUR_MS && ago > 7 * HOUR_MS)
                    || (ago < 2_400_000 && ago > 2_200_000);
            double wave = wave(ago);
            int goal = goal(vm.max, ago);
            int size = ago < 40_000 ? vm.size : goal;
            add(history, "cpuSize", gap, size * 250.0);
            add(history, "memSize", gap, size * (double) GIB);
            add(history, "cpuGoal", gap, (ago < 60_000 ? vm.goal : goal) * 250.0);
            add(history, "memGoal", gap, (ago < 60_000 ? vm.goal : goal) * (double) GIB);
            add(history, "load1", gap, wave * vm.max * 0.22);
            add(history, "usage", gap, (0.35 + 0.3 * wave) * vm.max * GIB);
        }
        return history;
    }

    private static double wave(long ago) {
        double hours = ago / (double) HOUR_MS;
        return 0.5 + 0.28 * Math.sin(hours * 6) + 0.12 * Math.sin(hours * 31) + 0.04 * Math.sin(hours * 190);
    }

    /** The goal of a VM some milliseconds ago. */
    static int goal(int max, long ago) {
        return Math.clamp((int) Math.ceil(wave(ago) * max * 0.9), 1, max);
    }

    private static long step(long ago) {
        return ago > STEP_FROM_MS ? COARSE_MS : ago > FINE_FROM_MS ? STEP_MS : FINE_MS;
    }

    private static void add(ObjectNode history, String series, boolean gap, double value) {
        var values = (ArrayNode) history.get(series);
        if (gap) {
            values.addNull();
        } else {
            values.add(Math.round(value * 1000) / 1000.0);
        }
    }

    private ObjectNode reservation(SyntheticVm vm) {
        var reservation = SyntheticFleet.JSON
                .objectNode()
                .put("pod", "uid-of-" + vm.key)
                .put("namespace", "default")
                .put("name", vm.key.substring(8) + "-x7k2p")
                .put("vm", vm.key.substring(8));
        reservation.set("reserved", SyntheticFleet.amount(vm.permit()));
        reservation.set("charge", SyntheticFleet.amount(vm.permit()));
        reservation.set("requested", SyntheticFleet.amount(vm.goal));
        reservation.set("pressure", SyntheticFleet.amount(vm.waiting.equals("ROOM") ? vm.goal - vm.size : 0));
        reservation.set("buffer", SyntheticFleet.amount(vm.waiting.equals("METRICS") ? 3 : 0));
        reservation.set("max", SyntheticFleet.amount(vm.max));
        return reservation
                .put("migrating", vm.waiting.equals("MIGRATION"))
                .put("recovered", vm.waiting.equals("METRICS"))
                .put("held", false)
                .put("migrationTarget", false)
                .put("autoscaled", true)
                .put("migratable", true)
                .put("load1", vm.goal * 0.24)
                .put("session", 3)
                .put("seq", 1841)
                .put("createdAt", System.currentTimeMillis() - 86_400_000L * vm.max);
    }

    private JsonNode node(String name) {
        var about = fleet.node(name);
        if (about == null) {
            return null;
        }
        var detail =
                SyntheticFleet.JSON.objectNode().put("reservationsKnown", true).put("rankingKnown", true);
        about.set("logical", SyntheticFleet.amount(1250, 3 * GIB));
        about.set("slack", SyntheticFleet.amount(0, 2 * GIB));
        detail.set("node", about);
        var reservations = detail.putArray("reservations");
        var ranking = detail.putArray("ranking");
        for (var vm : fleet.vmsOn(name)) {
            reservations.add(reservation(vm));
            ranking.addObject()
                    .put("pod", "uid-of-" + vm.key)
                    .put("vm", vm.key.substring(8))
                    .put("candidate", vm.max > 8)
                    .put(
                            "reason",
                            vm.max > 8
                                    ? "load %.2f, %d CU: asks least for what it frees"
                                            .formatted(vm.goal * 0.24, vm.size)
                                    : "it may not be moved");
        }
        detail.set("why", reasons("", name));
        return detail;
    }

    private static JsonNode pods(String path) {
        return switch (path) {
            case "/api/pods" -> Pods.list("");
            case "/api/pods/default/analytics-0" -> Pods.one("");
            default -> null;
        };
    }

    private JsonNode why(String subject, String query) {
        if (subject.startsWith("pod/")) {
            return whyPod();
        }
        boolean past = query.contains("at=");
        var vm = subject.startsWith("vm/") ? fleet.vm(subject.substring(3)) : null;
        var node = vm == null ? subject.substring("node/".length()) : vm.node;
        var why = SyntheticFleet.JSON.objectNode();
        why.putObject("subject").put(vm == null ? "node" : "vm", vm == null ? node : vm.key);
        why.put("now", past ? "Then it had what it needed: 7 CU." : now(vm, node))
                .put("since", System.currentTimeMillis() - 34_000);
        var reasons = reasons(vm == null ? "" : vm.key, node);
        why.set("reasons", reasons);
        return why;
    }

    private static JsonNode whyPod() {
        var why = SyntheticFleet.JSON.objectNode().put("now", "it waits").putNull("since");
        var waits = why.putArray("reasons").addObject();
        waits.put("at", System.currentTimeMillis() - 94_000L).putNull("until").put("kind", "WAITS");
        waits.put("node", "").put("toNode", "").put("vm", "").putNull("from").putNull("to");
        waits.put("reason", "0/33 nodes: 30 short of CPU by 250m or more in the ledger");
        return why;
    }

    private static String now(SyntheticVm vm, String node) {
        return vm == null
                ? "VMs should leave " + node
                        + ": reserved 7250m of 8, 850m above its watermark of 6400m, and 500m were requested and"
                        + " refused; 1250m are on their way out."
                : "It waits for room: 3000m requested, 2500m permitted, " + node + " has 0m of 8000m left.";
    }

    private static ArrayNode reasons(String vm, String node) {
        var reasons = SyntheticFleet.JSON.arrayNode();
        var kinds = List.of("ROOM", "DENIED", "SCALED_UP", "DENIED_DOWNSCALE", "SCALED_DOWN", "MOVING");
        for (int i = 0; i < 14; i++) {
            var kind = kinds.get(i % kinds.size());
            var reason = reasons.addObject()
                    .put("at", System.currentTimeMillis() - 34_000L - i * 61_000L)
                    .put("kind", kind)
                    .put("node", node)
                    .put("vm", vm.isEmpty() ? "default/feeds" : vm);
            if (kind.equals("DENIED_DOWNSCALE")) {
                reason.put("until", reason.get("at").asLong() + 19_000);
            } else {
                reason.putNull("until");
            }
            reason.put("toNode", kind.equals("MOVING") ? "node-b" : "");
            reason.set("from", SyntheticFleet.amount(10 - i % 3));
            reason.set("to", SyntheticFleet.amount(12 - i % 4));
            reason.put(
                    "reason",
                    "cpu: requested 3000m, permitted 2500m: node %s has 0m of 8000m left; memory: requested 12Gi"
                            .formatted(node));
        }
        return reasons;
    }

    private static JsonNode config() {
        var config = SyntheticFleet.JSON.objectNode();
        var keys = config.putArray("keys");
        key(keys, "agent.permitTimeout", "1s", "1s", false);
        key(keys, "agent.scaling.loadPerCore", "0.9", "0.9", true);
        key(keys, "agent.scrapePeriod", "250ms", "5s", false);
        key(keys, "gateway.console.host", "127.0.0.1", "127.0.0.1", false);
        key(keys, "gateway.console.port", "8080", "8080", false);
        key(keys, "gateway.console.tokenFile", "/etc/sluice/token", "", true);
        key(keys, "ledger.store", "memory", "memory", false);
        key(keys, "ledger.watermark", "0.85", "0.8", true);
        key(keys, "roles", "[all, lab]", "[all]", false);
        return config;
    }

    private static void key(ArrayNode keys, String key, String value, String otherwise, boolean live) {
        keys.addObject()
                .put("key", key)
                .put("value", value)
                .put("default", otherwise)
                .put("live", live);
    }
}
