package io.sluice.cluster;

import io.sluice.cluster.fleet.Fleet;
import io.sluice.cluster.process.Ground;
import io.sluice.cluster.process.Loopback;
import io.sluice.cluster.process.Namespaces;
import io.sluice.cluster.process.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Plays every fault a number of times, writes each round to a file at once, and prints the table. A round that is in
 * the file already is not played again.
 */
public final class Suite {
    /** The first seconds of a process are slow: its methods are interpreted. No fault is meant to find that. */
    static final Duration WARM_UP = Duration.ofSeconds(20);

    private static final int NODES = 5;
    private static final int PLACES = 10;
    private static final int ROUNDS_FOR_MEDIAN = 5;

    private final Options options;
    private final Ground ground;
    private final MainCode code;
    private final List<RoundResult> results = new ArrayList<>();
    private Optional<Cluster> cluster = Optional.empty();
    private Optional<Rounds> rounds = Optional.empty();

    private Suite(Options options, Ground ground, MainCode code) {
        this.options = options;
        this.ground = ground;
        this.code = code;
    }

    /**
     * Exits with status 1 if an invariant was broken or a condition was not met in time, and with 2 for wrong options.
     */
    public static void main(String[] arguments) throws IOException {
        try {
            var options = Options.of(arguments);
            System.exit(run(options, chosen(options.faults())) ? 0 : 1);
        } catch (IllegalArgumentException misused) {
            report("tests/cluster/run: " + misused.getMessage());
            System.exit(2);
        }
    }

    private static List<Scenario> chosen(List<String> names) {
        var all = Faults.all();
        for (var name : names) {
            if (all.stream().noneMatch(scenario -> isMeant(scenario, name))) {
                throw new IllegalArgumentException("there is no fault " + name + "; there are "
                        + String.join(", ", all.stream().map(Scenario::name).toList()));
            }
        }
        return all.stream()
                .filter(scenario -> names.isEmpty() || names.stream().anyMatch(name -> isMeant(scenario, name)))
                .toList();
    }

    private static boolean isMeant(Scenario scenario, String name) {
        return name.endsWith("*")
                ? scenario.name().startsWith(name.substring(0, name.length() - 1))
                : scenario.name().equals(name);
    }

    private static boolean run(Options options, List<Scenario> chosen) throws IOException {
        if (options.tableOnly()) {
            var played = read(options.results());
            report("main code: "
                    + String.join(
                            ", ",
                            new TreeSet<>(played.stream()
                                    .map(result -> result.code().commit())
                                    .toList())));
            report(Table.of(played));
            return true;
        }
        var code = MainCode.read(Path.of("target", "main-code"));
        code.refuses(read(options.results())).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        var none = Namespaces.unavailable();
        none.ifPresent(why -> report("No process is cut off in this run: " + why + "."));
        var ground = none.isPresent() ? new Loopback(PLACES) : Namespaces.make(PLACES);
        var suite = new Suite(options, ground, code);
        // All started processes are ended however this process ends.
        var hook = new Thread(suite::end);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return suite.play(chosen);
        } finally {
            Runtime.getRuntime().removeShutdownHook(hook);
            suite.end();
        }
    }

    private static List<RoundResult> read(Path results) throws IOException {
        return Files.exists(results)
                ? Files.readAllLines(results).stream().map(RoundResult::of).toList()
                : List.of();
    }

    private boolean play(List<Scenario> chosen) throws IOException {
        Files.createDirectories(options.results().getParent());
        results.addAll(read(options.results()));
        for (var scenario : chosen) {
            var why = scenario.unplayable(ground.undivided());
            if (why.isPresent()) {
                report(scenario.name() + " is skipped: " + why.get() + ".");
            } else {
                play(scenario);
            }
        }
        report(Table.of(results));
        report("main code: " + code.commit());
        report("rounds: " + options.results() + "; logs: " + options.folder());
        var slow = chosen.stream().filter(this::isTooSlow).map(Scenario::name).toList();
        slow.forEach(name -> report(name + ": the median of its outages is above twice the goal"));
        return slow.isEmpty() && results.stream().allMatch(RoundResult::good);
    }

    /** Too few rounds make no median. */
    private boolean isTooSlow(Scenario scenario) {
        var rounds = results.stream()
                .filter(result -> result.fault().equals(scenario.name()))
                .toList();
        return rounds.size() >= ROUNDS_FOR_MEDIAN
                && Table.median(rounds, round -> round.outage().worstMs())
                        > scenario.goal().medianMsMax();
    }

    private void play(Scenario scenario) throws IOException {
        int done = (int) results.stream()
                .filter(result -> result.fault().equals(scenario.name()))
                .count();
        for (int round = done + 1; round <= options.rounds().orElse(scenario.rounds()); round++) {
            var result = round(scenario, round);
            results.add(result);
            Files.writeString(
                    options.results(), result.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            report(summary(result));
            result.wrong()
                    .forEach(wrong ->
                            report("WRONG: " + wrong.lines().findFirst().orElse("")));
            if (!result.good()) {
                close();
            }
        }
    }

    private RoundResult round(Scenario scenario, int round) throws IOException {
        try {
            return rounds(scenario.setup()).play(scenario, round);
        } catch (Unhealed notStarted) {
            return RoundResult.unstarted(scenario.name(), round, code, notStarted.getMessage());
        }
    }

    private static String summary(RoundResult result) {
        return "%s %d: outage %d ms (median %d), back %d ms, at maximum %d ms, %d permits, %s, without a permit %s %s%s%s"
                .formatted(
                        result.fault(),
                        result.round(),
                        result.outage().worstMs(),
                        result.outage().medianMs(),
                        result.back().worstMs(),
                        result.atMaximumMs(),
                        result.answers(),
                        result.work(),
                        result.outage().refused(),
                        result.back().refused(),
                        result.unhealed().isEmpty() ? "" : ", NOT HEALED " + result.unhealed(),
                        result.falseSplits().isEmpty() ? "" : ", false splits " + result.falseSplits());
    }

    /** Returns the running cluster if it has the right setup, else a new one. */
    private Rounds rounds(Setup setup) throws IOException {
        if (cluster.isEmpty() || cluster.get().setup() != setup) {
            close();
            var folder = Files.createDirectories(Path.of(
                    options.folder().toString(),
                    "%s-%d".formatted(setup.name().toLowerCase(Locale.ROOT), results.size())));
            report("Starting " + setup.members().size() + " processes; logs in " + folder);
            var started = new Cluster(
                    ground,
                    setup,
                    new Fleet(NODES, options.vmsPerNode()),
                    results.size(),
                    options.distribution(),
                    folder);
            cluster = Optional.of(started);
            started.start();
            started.hold(WARM_UP);
            rounds = Optional.of(new Rounds(started, code));
        }
        return rounds.orElseThrow();
    }

    private synchronized void close() {
        cluster.ifPresent(Cluster::close);
        cluster = Optional.empty();
        rounds = Optional.empty();
    }

    private synchronized void end() {
        close();
        ground.close();
    }

    private static void report(String line) {
        System.out.println(line);
    }
}
