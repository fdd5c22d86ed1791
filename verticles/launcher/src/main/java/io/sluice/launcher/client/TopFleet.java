package io.sluice.launcher.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fleet as the stream of a console shows it: first whole, then each change. Threads may share it. */
final class TopFleet {
    private final Map<String, Json> nodes = new LinkedHashMap<>();
    private final Map<String, Json> vms = new LinkedHashMap<>();
    private List<Json> migrations = List.of();
    private Json pods = Json.absent();
    private Instant at = Instant.EPOCH;
    private String trouble = "no reply yet";

    /** Applies one event of the stream; others than these two do not matter. */
    synchronized void received(String event, Json data) {
        if (event.equals("fleet")) {
            nodes.clear();
            vms.clear();
        } else if (!event.equals("delta")) {
            return;
        }
        at = Instant.ofEpochMilli(data.path("at").number());
        trouble = "";
        data.path("nodes").values().forEach(node -> nodes.put(node.path("name").text(), node));
        data.path("nodesGone").values().forEach(node -> nodes.remove(node.text()));
        data.path("vms").values().forEach(vm -> vms.put(vm.path("key").text(), vm));
        data.path("vmsGone").values().forEach(vm -> vms.remove(vm.text()));
        if (data.path("migrations").isList()) {
            migrations = data.path("migrations").values();
        }
    }

    /** Applies the list of the pods that wait. */
    synchronized void pods(Json list) {
        pods = list;
    }

    /** The stream has ended; what is shown is old until the next one begins. */
    synchronized void lost(String reason) {
        trouble = reason;
    }

    /** Why there is no news; empty while there is. */
    synchronized String trouble() {
        return trouble;
    }

    /** The time of the last news, by the clock of the process. */
    synchronized Instant at() {
        return at;
    }

    synchronized List<Json> rows(TopView view) {
        return new ArrayList<>(
                switch (view) {
                    case NODES -> nodes.values();
                    case VMS -> vms.values();
                    case PODS -> pods.path("pods").values();
                    case MIGRATIONS -> migrations;
                });
    }

    /** How many there are of each, in one line. */
    synchronized String counts() {
        return count(nodes.size(), "node") + ", " + count(vms.size(), "VM") + ", "
                + count(pods.path("total").number(), "waiting pod") + ", " + count(migrations.size(), "migration");
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
