package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Replies of the API about a Hazelcast cluster. */
public final class Clusters {
    private Clusters() {}

    /** One process that is ready, one that waits, one that is silent. */
    public static ObjectNode three() {
        var cluster = cluster("4d6e left", "1 of 3 ledger processes is present: 2 are needed");
        var members = cluster.putArray("members");
        var first = members.addObject();
        member(first, "1f3a", "READY").put("self", true).put("ledger", true).put("uptimeMs", 3_725_000);
        first.put("endpoint", "10.0.0.1:5701").put("joinedAt", 1_700_000_000_000L);
        first.putArray("roles").add("gateway").add("ledger");
        var second = member(members.addObject(), "2b4c", "WAITING").put("roundTripMicros", 940);
        second.putArray("roles").add("agent");
        wait(second, "peers", "no process with the role monitor exists (agent needs it)");
        second.putArray("counts").addObject().put("what", "runners").put("number", 7);
        var third = member(members.addObject(), "3c5d", "SILENT").put("silentMs", 42_000);
        third.put("reason", "there was no reply within 1 s");
        shares(cluster, "1f3a", "2b4c");
        cluster.withArray("/shares/agent").addObject().put("id", "3c5d").putNull("vms");
        return cluster;
    }

    /** Every text from outside is this one. */
    public static ObjectNode hostile(String text) {
        var cluster = cluster(text, text);
        var member = member(cluster.putArray("members").addObject(), text, "SILENT");
        member.put("endpoint", text).put("version", text).put("reason", text).put("silentMs", 1);
        member.putArray("roles").add(text);
        wait(member, text, text);
        member.putArray("counts").addObject().put("what", text).put("number", 1);
        shares(cluster, text, text);
        return cluster;
    }

    /** A process without others. */
    public static ObjectNode alone() {
        var cluster = cluster("", "").put("clustered", false).put("ready", true);
        member(cluster.putArray("members").addObject(), "", "READY").put("self", true);
        cluster.putArray("notes");
        shares(cluster, "", "");
        return cluster;
    }

    private static ObjectNode cluster(String entry, String grants) {
        var cluster = SyntheticFleet.JSON.objectNode();
        cluster.put("clustered", true).put("self", "1f3a").put("ready", false).put("partitionsSafe", false);
        cluster.putObject("ledgers").put("configured", 3).put("present", 1);
        cluster.putObject("grants").put("allowed", false).put("sentence", grants);
        cluster.putArray("notes").addObject().put("at", 1_700_000_000_000L).put("sentence", entry);
        return cluster;
    }

    private static void shares(ObjectNode cluster, String pressure, String agent) {
        var shares = cluster.putObject("shares").put("pressure", pressure);
        shares.putArray("agent").addObject().put("id", agent).put("vms", 12);
    }

    private static ObjectNode member(ObjectNode member, String id, String state) {
        member.put("id", id)
                .put("name", id)
                .put("state", state)
                .put("self", false)
                .put("ledger", false);
        member.put("endpoint", "").put("version", "0.1.0").put("reason", "");
        member.putNull("joinedAt")
                .putNull("uptimeMs")
                .putNull("roundTripMicros")
                .putNull("silentMs");
        member.putArray("roles");
        member.putArray("waits");
        member.putArray("counts");
        return member;
    }

    private static void wait(ObjectNode member, String part, String sentence) {
        member.putArray("waits").addObject().put("part", part).put("sentence", sentence);
    }
}
