package io.sluice.cluster;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command-line options of a run.
 *
 * @param rounds rounds of each fault; empty for the number that each fault has by default
 * @param faults names of faults, or prefixes followed by an asterisk; empty for all
 * @param results file to which rounds are added; rounds in it are not played again
 * @param tableOnly whether nothing is played, and only the table of the results is printed
 * @param vmsPerNode number of VMs on each node
 * @param distribution folder of the program
 * @param folder folder for logs
 */
record Options(
        Optional<Integer> rounds,
        List<String> faults,
        Path results,
        boolean tableOnly,
        int vmsPerNode,
        Path distribution,
        Path folder) {
    private static final int VMS_PER_NODE = 40;

    /** One fault of each kind: with {@link #ofDay} short enough for every change. */
    static final List<String> SHORT = List.of(
            "kill-owner",
            "freeze-owner",
            "cut-owner-drop",
            "freeze-all",
            "lose-two",
            "stale-cut-low",
            "stale-freeze-high",
            "stale-restart-freeze");

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException for an unknown option
     */
    static Options of(String... arguments) {
        Optional<Integer> rounds = Optional.empty();
        List<String> faults = List.of();
        boolean tableOnly = false;
        int vms = VMS_PER_NODE;
        var folder = Path.of("target", "cluster");
        Optional<Path> results = Optional.empty();
        var distribution = built();
        var words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            var word = words.next();
            switch (word) {
                case "--rounds" -> rounds = Optional.of(Integer.valueOf(after(word, words)));
                case "--short" -> {
                    faults = Stream.concat(SHORT.stream(), Stream.of(ofDay(LocalDate.now())))
                            .toList();
                    rounds = rounds.or(() -> Optional.of(1));
                }
                case "--faults" -> faults = List.of(after(word, words).split(","));
                case "--resume" -> results = Optional.of(Path.of(after(word, words)));
                case "--distribution" -> distribution = Path.of(after(word, words));
                case "--table" -> tableOnly = true;
                case "--vms-per-node" -> vms = Integer.parseInt(after(word, words));
                default -> throw new IllegalArgumentException("unknown: " + word);
            }
        }
        return new Options(
                rounds,
                faults,
                results.orElse(folder.resolve("results.jsonl")).toAbsolutePath(),
                tableOnly,
                vms,
                distribution,
                folder.toAbsolutePath());
    }

    /** One of the other faults, so that all are played within a few weeks: a suite that is not played stops working. */
    static String ofDay(LocalDate day) {
        var others = Faults.all().stream()
                .map(Scenario::name)
                .filter(name -> !SHORT.contains(name))
                .toList();
        return others.get(Math.floorMod(day.toEpochDay(), others.size()));
    }

    private static String after(String word, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(word + " needs a value");
        }
        return words.next();
    }

    /** The distribution as {@code mvn package} makes it, relative to this module's folder. */
    static Path built() {
        return Path.of("..", "..", "verticles", "launcher", "target", "sluice")
                .toAbsolutePath()
                .normalize();
    }
}
