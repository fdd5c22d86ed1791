package io.sluice.vectors;

import io.sluice.vectors.agentscheduler.AgentSchedulerPlayer;
import io.sluice.vectors.billing.BillingPlayer;
import io.sluice.vectors.monitor.MonitorPlayer;
import io.sluice.vectors.scaling.ScalingPlayer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plays every recording below a folder and prints, for each kind found, how many commands are equal.
 *
 * <p>The folder has a subfolder for each kind, or is the folder of one kind. Exit status: 0 if all is equal, 1 if
 * something differs or nothing was played, 2 if a file cannot be played.
 */
public final class Check {
    private static final int EQUAL = 0;
    private static final int DIFFERENT = 1;
    private static final int UNPLAYABLE = 2;
    private static final List<String> ENDINGS = List.of(".jsonl", ".jsonl.gz", ".json", ".json.gz");
    private static final List<KindPlayer> PLAYERS = List.of(
            new BillingPlayer(),
            new LedgerPlayer(),
            new ScalingPlayer(),
            new AgentSchedulerPlayer(),
            new MonitorPlayer());

    private Check() {}

    /** Plays the given folder; exits with the status. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        if (arguments.length != 1) {
            err.println("One argument was expected: the folder with the recordings.");
            return UNPLAYABLE;
        }
        var folder = Path.of(arguments[0]);
        if (!Files.isDirectory(folder)) {
            err.println("Not a folder: " + folder);
            return UNPLAYABLE;
        }
        try {
            return report(play(folder), folder, out, err);
        } catch (MalformedRecordingException malformed) {
            err.println("Malformed recording: " + malformed.getMessage());
            return UNPLAYABLE;
        } catch (IOException unreadable) {
            err.println("Cannot read " + folder + ": " + unreadable);
            return UNPLAYABLE;
        }
    }

    /** The result for each kind, sorted by kind. */
    static Map<String, Tally> play(Path folder) throws IOException {
        var tallies = new TreeMap<String, Tally>();
        playFolder(folder, tallies);
        if (isKind(name(folder))) {
            return tallies;
        }
        for (var kind : sorted(folder, true)) {
            if (!playFolder(kind, tallies)) {
                tallies.computeIfAbsent(kind.getFileName().toString(), _ -> new Tally());
            }
        }
        return tallies;
    }

    private static String name(Path folder) throws IOException {
        var name = folder.toRealPath().getFileName();
        return name == null ? "" : name.toString();
    }

    /**
     * Plays one folder. Its name is the kind; for another name the content of its files decides.
     *
     * @return whether anything in it was played
     */
    private static boolean playFolder(Path folder, Map<String, Tally> tallies) throws IOException {
        var kind = name(folder);
        var found = new LinkedHashMap<KindPlayer, List<Recording>>();
        for (var file : files(folder, isKind(kind))) {
            var recording = new Recording(file);
            if (isReference(kind, recording)) {
                continue;
            }
            player(kind, recording)
                    .ifPresentOrElse(
                            player -> found.computeIfAbsent(player, _ -> new ArrayList<>())
                                    .add(recording),
                            () -> tallies.computeIfAbsent(kind, _ -> new Tally())
                                    .unsupported(recording.name()));
        }
        found.forEach((player, files) -> player.play(files, tallies.computeIfAbsent(player.kind(), _ -> new Tally())));
        return !found.isEmpty();
    }

    private static boolean isReference(String kind, Recording recording) {
        return PLAYERS.stream().anyMatch(player -> player.kind().equals(kind) && player.isReference(recording.name()));
    }

    /** The files of a kind; they may be in groups, one folder below. */
    private static List<Path> files(Path folder, boolean withGroups) throws IOException {
        var files = new ArrayList<>(sorted(folder, false));
        if (withGroups) {
            for (var group : sorted(folder, true)) {
                files.addAll(sorted(group, false));
            }
        }
        return files;
    }

    private static Optional<KindPlayer> player(String kind, Recording recording) {
        return PLAYERS.stream()
                .filter(player -> player.readsLines() == Recording.hasLines(recording.path()))
                .filter(player -> player.kind().equals(kind) || !isKind(kind))
                .filter(player -> player.plays(recording))
                .findFirst();
    }

    /** Whether the folder is one of a kind, also of one without a player. */
    private static boolean isKind(String kind) {
        return List.of("scaling-core", "agent-scheduler", "monitor", "billing", "ledger")
                .contains(kind);
    }

    private static boolean isRecording(Path path) {
        var name = path.getFileName().toString();
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    private static List<Path> sorted(Path folder, boolean folders) throws IOException {
        try (var inside = Files.list(folder)) {
            return inside.filter(path -> folders ? Files.isDirectory(path) : isRecording(path))
                    .sorted()
                    .toList();
        }
    }

    private static int report(Map<String, Tally> tallies, Path folder, PrintStream out, PrintStream err) {
        tallies.forEach((kind, tally) -> lines(kind, tally).forEach(out::println));
        long played = tallies.values().stream().mapToLong(Tally::commands).sum();
        long different = tallies.values().stream().mapToLong(Tally::different).sum();
        if (played == 0) {
            err.println("No recording that can be played was found in " + folder);
        }
        return played > 0 && different == 0 ? EQUAL : DIFFERENT;
    }

    private static String unit(String kind) {
        return PLAYERS.stream()
                .filter(player -> player.kind().equals(kind))
                .map(KindPlayer::unit)
                .findFirst()
                .orElse("commands");
    }

    private static List<String> lines(String kind, Tally tally) {
        var lines = new ArrayList<String>();
        if (tally.commands() + tally.onPurpose() == 0) {
            lines.add(kind + ": not yet supported");
            return lines;
        }
        lines.add("%s: %d %s, %d equal, %d different"
                .formatted(
                        kind, tally.commands(), unit(kind), tally.commands() - tally.different(), tally.different()));
        if (tally.onPurpose() > 0) {
            lines.add("  " + tally.onPurpose() + " more were played and not compared: ours differs there on purpose");
        }
        tally.reasons().forEach(reason -> lines.add("    " + reason));
        tally.unsupportedFiles().forEach(file -> lines.add("  " + kind + "/" + file + ": not yet supported"));
        tally.first().forEach(difference -> lines.add("  " + difference));
        return lines;
    }
}
