package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Replies of the API about pods that wait for a node. */
public final class Pods {
    private static final int SHORT_NODES = 30;

    private Pods() {}

    /** Two pods that wait, and more that are not listed. */
    public static ObjectNode list(String text) {
        var list = SyntheticFleet.JSON
                .objectNode()
                .put("known", true)
                .put("total", 203)
                .put("withoutHold", 4);
        var pods = list.putArray("pods");
        pod(pods.addObject(), "default/analytics-0", "analytics", 94_000, 16)
                .put("now", "it waits for 1 min: 0/33 nodes: 30 short of CPU by 250m or more in the ledger" + text);
        pod(pods.addObject(), "default/report-x7k2p", "", 12_000, 2)
                .put("now", "no attempt to place it was reported yet");
        return list;
    }

    /** The page of one pod: nodes that are short, one that is not ready, and two that could take it. */
    public static ObjectNode one(String text) {
        var pod = pod(SyntheticFleet.JSON.objectNode(), "default/analytics-0", "analytics", 94_000, 16)
                .put("now", "it waits for 1 min: 0/33 nodes: 30 short of CPU by 250m or more in the ledger" + text)
                .put("nodes", SHORT_NODES + 3)
                .put("decided", true);
        node(group(pod.putObject("fit"), 2), "node-b", 0).put("score", 71);
        var groups = pod.putArray("groups");
        var full = group(groups.addObject().put("reason", "short of CPU by 250m or more in the ledger" + text), 230);
        for (int i = 0; i < SHORT_NODES; i++) {
            node(full, "full-" + i, 250L + 250L * i);
        }
        node(group(groups.addObject().put("reason", "not ready"), 1), "node-c", 0);
        return pod;
    }

    private static ObjectNode group(ObjectNode group, int count) {
        group.put("count", count).putArray("nodes");
        return group;
    }

    private static ObjectNode node(ObjectNode group, String name, long milliCpu) {
        var node = group.withArray("nodes").addObject().put("name", name).put("score", 0);
        node.set("shortBy", SyntheticFleet.amount(milliCpu, 0));
        node.put("shortOf", "");
        return node;
    }

    private static ObjectNode pod(ObjectNode pod, String key, String vm, long ageMs, int units) {
        pod.put("key", key).put("uid", "uid-of-" + key).put("vm", vm);
        pod.put("createdAt", System.currentTimeMillis() - ageMs);
        pod.set("amounts", SyntheticFleet.amount(2 * units));
        pod.set("charge", SyntheticFleet.amount(units));
        return pod;
    }
}
