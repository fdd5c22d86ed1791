package io.sluice.vectors;

import io.sluice.vectors.agentscheduler.AgentSchedulerPlayer;
import io.sluice.vectors.scaling.ScalingPlayer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plays every recording below a folder and says, for each kind found, how many commands are equal.
 *
 * <p>The folder is one with a subfolder for each kind, or one kind's own. Exit status: 0 when all is equal, 1 when
 * something differs or nothing was played, 2 when a file cannot be played at all.
 */
public final class Check {
    private static final int EQUAL = 0;
    private static final int DIFFERENT = 1;
    private static final int UNPLAYABLE = 2;
    private static final List<String> ENDINGS = List.of(".jsonl", ".jsonl.gz", ".json", ".json.gz");
    private static final List<KindPlayer> PLAYERS =
            List.of(new LedgerPlayer(), new ScalingPlayer(), new AgentSchedulerPlayer());

    private Check() {}

    /** Plays the folder given; exits with the status. */
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

    /** What was found in each kind's folder, sorted by kind. */
    static Map<String, Tally> play(Path folder) throws IOException {
        var tallies = new TreeMap<String, Tally>();
        playFolder(folder, tallies);
        for (var kind : sorted(folder, true)) {
            playFolder(kind, tallies);
            tallies.computeIfAbsent(kind.getFileName().toString(), _ -> new Tally());
        }
        return tallies;
    }

    /** A kind's folder is told by its name; one of another name by what its files look like. */
    private static void playFolder(Path folder, Map<String, Tally> tallies) throws IOException {
        var name = folder.toRealPath().getFileName();
        var kind = name == null ? "" : name.toString();
        for (var file : sorted(folder, false)) {
            var recording = new Recording(file);
            var player = player(kind, recording);
            var tally = tallies.computeIfAbsent(player.map(KindPlayer::kind).orElse(kind), _ -> new Tally());
            player.ifPresentOrElse(found -> found.play(recording, tally), () -> tally.unsupported(recording.name()));
        }
    }

    private static Optional<KindPlayer> player(String kind, Recording recording) {
        return PLAYERS.stream()
                .filter(player -> player.readsLines() == Recording.hasLines(recording.path()))
                .filter(player -> player.kind().equals(kind) || isNoKind(kind))
                .filter(player -> player.plays(recording))
                .findFirst();
    }

    /** Kinds that exist and have no player yet are not guessed at. */
    private static boolean isNoKind(String kind) {
        return !List.of("scaling-core", "agent-scheduler", "monitor", "billing", "ledger")
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
