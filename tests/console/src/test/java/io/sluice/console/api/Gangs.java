package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Replies of the API about gangs. */
public final class Gangs {
    private Gangs() {}

    /** One that waits with some of its room held, and one that runs. */
    public static ObjectNode two(String text) {
        var reply = SyntheticFleet.JSON.objectNode();
        var gangs = reply.putArray("gangs");
        var waits = gang(gangs.addObject(), "default/train", 16)
                .put("phase", "Scheduling")
                .put("reason", "GANG_NO_ROOM(12/16): 0/5 nodes are available: 5 short of CPU by 2 or more" + text)
                .put("held", 12)
                .put("bound", 0);
        for (int i = 0; i < 16; i++) {
            member(waits, "train-" + i, i < 12 ? "node-a" : "", i < 12 ? "held" : "pending");
        }
        var runs = gang(gangs.addObject(), "default/serve", 2)
                .put("phase", "Running")
                .put("reason", "")
                .put("held", 0)
                .put("bound", 2);
        member(runs, "serve-0", "node-a", "running");
        member(runs, "serve-1", "node-b", "running");
        return reply;
    }

    private static ObjectNode gang(ObjectNode gang, String name, int minMember) {
        gang.put("gang", name).put("apiGroup", "scheduling.x-k8s.io").put("minMember", minMember);
        gang.putArray("members");
        return gang;
    }

    private static void member(ObjectNode gang, String pod, String node, String step) {
        gang.withArray("members").addObject().put("pod", pod).put("node", node).put("step", step);
    }
}
