package io.sluice.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says which processes there are, whether each is ready, and whether anything may be granted. */
@Command(
        name = "status",
        description = {
            "Says which processes there are and whether each is ready.",
            "Ends with 0 where all are and permits are granted, else with 1."
        },
        mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {
    private static final int NOTES_SHOWN = 5;
    private static final int NOT_READY = 1;

    @Mixin
    private ConsoleOptions door;

    private final PrintStream out = System.out;

    @Override
    public Integer call() {
        var cluster = door.client().json("api/cluster");
        if (!cluster.path("clustered").asBoolean()) {
            out.println("This process is alone: it is in no cluster.");
        }
        var vms = vms(cluster);
        cluster.path("members").forEach(member -> member(member, vms));
        if (cluster.path("clustered").asBoolean()) {
            together(cluster);
        }
        return cluster.path("ready").asBoolean() ? 0 : NOT_READY;
    }

    private static Map<String, Long> vms(JsonNode cluster) {
        return cluster.at("/shares/agent")
                .valueStream()
                .filter(share -> share.path("vms").isNumber())
                .collect(Collectors.toMap(
                        share -> share.path("id").asText(),
                        share -> share.path("vms").asLong(),
                        (one, same) -> one));
    }

    private void member(JsonNode member, Map<String, Long> vms) {
        var name = member.path("name").asText();
        out.println("%-8s  %-7s  %s"
                .formatted(
                        clean(name.isEmpty() ? "-" : name),
                        member.path("state").asText().toLowerCase(Locale.ROOT),
                        String.join(", ", facts(member, vms))));
        if (member.path("state").asText().equals("SILENT")) {
            out.println("    " + silence(member));
        }
        member.path("waits")
                .forEach(wait -> out.println("    " + clean(wait.path("part").asText()) + ": "
                        + clean(wait.path("sentence").asText())));
    }

    private static List<String> facts(JsonNode member, Map<String, Long> vms) {
        var facts = new ArrayList<String>();
        facts.add(roles(member));
        add(facts, member.path("endpoint").asText());
        add(facts, member.path("version").asText());
        if (member.path("uptimeMs").isNumber()) {
            facts.add("up for " + time(member.path("uptimeMs").asLong()));
        }
        add(facts, member.path("books").asBoolean() ? "keeps books" : "");
        var held = vms.get(member.path("id").asText());
        add(facts, held == null ? "" : held + " VMs");
        add(facts, member.path("self").asBoolean() ? "asked here" : "");
        return facts;
    }

    private static void add(List<String> facts, String fact) {
        if (!fact.isEmpty()) {
            facts.add(clean(fact));
        }
    }

    private static String roles(JsonNode member) {
        var roles = member.path("roles").valueStream().map(JsonNode::asText).collect(Collectors.joining(" "));
        return roles.isEmpty() ? "no roles" : clean(roles);
    }

    private static String silence(JsonNode member) {
        var reason = clean(member.path("reason").asText());
        var since = member.path("silentMs").isNumber()
                ? " for " + time(member.path("silentMs").asLong())
                : "";
        return "does not answer" + since + (reason.isEmpty() ? "" : ": " + reason);
    }

    private void together(JsonNode cluster) {
        var grants = cluster.path("grants");
        out.println("grants: "
                + (grants.path("allowed").asBoolean()
                        ? "allowed"
                        : "stopped, " + clean(grants.path("sentence").asText())));
        out.println("partitions: " + partitions(cluster.path("partitionsSafe")));
        out.println("ledgers: %d of %d"
                .formatted(
                        cluster.at("/ledgers/present").asLong(),
                        cluster.at("/ledgers/configured").asLong()));
        cluster.path("notes")
                .valueStream()
                .limit(NOTES_SHOWN)
                .forEach(note -> out.println(
                        Instant.ofEpochMilli(note.path("at").asLong()).truncatedTo(ChronoUnit.SECONDS) + "  "
                                + clean(note.path("sentence").asText())));
    }

    private static String partitions(JsonNode safe) {
        if (!safe.isBoolean()) {
            return "not known to a process without books";
        }
        return safe.asBoolean() ? "safe" : "not safe";
    }

    private static String time(long millis) {
        var time = Duration.ofMillis(Math.max(0, millis));
        if (time.toMinutes() == 0) {
            return time.toSeconds() + " s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toHours() + " h " + time.toMinutesPart() + " min";
    }

    /** Names and sentences come from other processes, and a terminal obeys control characters. */
    private static String clean(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
