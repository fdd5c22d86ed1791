package io.sluice.launcher.client;

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

/** Prints all processes, whether each is ready, and whether permits are granted. */
@Command(
        name = "status",
        description = {
            "Prints all processes and whether each is ready.",
            "Exit status 0 where all are and permits are granted, else 1."
        },
        mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {
    private static final int ENTRIES_SHOWN = 5;
    private static final int NOT_READY = 1;

    @Mixin
    private ConsoleOptions console;

    @Mixin
    private OutputOption output;

    private final PrintStream out = System.out;

    @Override
    public Integer call() {
        var cluster = console.client().json("api/cluster");
        if (output.isTable()) {
            print(cluster);
        } else {
            output.print(cluster, out);
        }
        return cluster.path("ready").isTrue() ? 0 : NOT_READY;
    }

    private void print(Json cluster) {
        if (!cluster.path("clustered").isTrue()) {
            out.println("This process is alone: it is in no Hazelcast cluster.");
        }
        var vms = vms(cluster);
        cluster.path("members").values().forEach(member -> printMember(member, vms));
        if (cluster.path("clustered").isTrue()) {
            together(cluster);
        }
    }

    private static Map<String, Long> vms(Json cluster) {
        return cluster.path("shares").path("agent").values().stream()
                .filter(share -> share.path("vms").isNumber())
                .collect(Collectors.toMap(
                        share -> share.path("id").text(),
                        share -> share.path("vms").number(),
                        (one, same) -> one));
    }

    private void printMember(Json member, Map<String, Long> vms) {
        var name = member.path("name").text();
        out.println("%-8s  %-7s  %s"
                .formatted(
                        clean(name.isEmpty() ? "-" : name),
                        member.path("state").text().toLowerCase(Locale.ROOT),
                        String.join(", ", summary(member, vms))));
        if (member.path("state").text().equals("SILENT")) {
            out.println("    " + silence(member));
        }
        member.path("waits")
                .values()
                .forEach(wait -> out.println("    " + clean(wait.path("part").text()) + ": "
                        + clean(wait.path("sentence").text())));
    }

    private static List<String> summary(Json member, Map<String, Long> vms) {
        var observations = new ArrayList<String>();
        observations.add(roles(member));
        add(observations, member.path("endpoint").text());
        add(observations, member.path("version").text());
        if (member.path("uptimeMs").isNumber()) {
            observations.add(
                    "up for " + time(Duration.ofMillis(member.path("uptimeMs").number())));
        }
        add(observations, member.path("ledger").isTrue() ? "has ledger state" : "");
        var held = vms.get(member.path("id").text());
        add(observations, held == null ? "" : held + " VMs");
        add(observations, member.path("self").isTrue() ? "this process" : "");
        return observations;
    }

    private static void add(List<String> observations, String observation) {
        if (!observation.isEmpty()) {
            observations.add(clean(observation));
        }
    }

    private static String roles(Json member) {
        var roles = member.path("roles").values().stream().map(Json::text).collect(Collectors.joining(" "));
        return roles.isEmpty() ? "no roles" : clean(roles);
    }

    private static String silence(Json member) {
        var reason = clean(member.path("reason").text());
        var since = member.path("silentMs").isNumber()
                ? " for " + time(Duration.ofMillis(member.path("silentMs").number()))
                : "";
        return "does not reply" + since + (reason.isEmpty() ? "" : ": " + reason);
    }

    private void together(Json cluster) {
        var grants = cluster.path("grants");
        out.println("grants: "
                + (grants.path("allowed").isTrue()
                        ? "allowed"
                        : "stopped, " + clean(grants.path("sentence").text())));
        out.println("partitions: " + partitions(cluster.path("partitionsSafe")));
        out.println("ledgers: %d of %d"
                .formatted(
                        cluster.path("ledgers").path("present").number(),
                        cluster.path("ledgers").path("configured").number()));
        cluster.path("notes").values().stream()
                .limit(ENTRIES_SHOWN)
                .forEach(entry -> out.println(
                        Instant.ofEpochMilli(entry.path("at").number()).truncatedTo(ChronoUnit.SECONDS) + "  "
                                + clean(entry.path("sentence").text())));
    }

    private static String partitions(Json safe) {
        if (!safe.isTruth()) {
            return "unknown to a process without ledger state";
        }
        return safe.isTrue() ? "safe" : "not safe";
    }

    /** A time that has passed, in its two largest units. */
    static String time(Duration time) {
        if (time.toMinutes() == 0) {
            return time.toSeconds() + " s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toHours() + " h " + time.toMinutesPart() + " min";
    }

    /** Replaces control characters, which a terminal would obey: names and sentences come from other processes. */
    private static String clean(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
