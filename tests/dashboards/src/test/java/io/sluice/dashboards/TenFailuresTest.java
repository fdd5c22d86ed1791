package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Goal: an operator who gets an alert finds the cause in one command. Method: ten failures in real processes, some
 * together; for each its alert fires in a real Prometheus, and {@code sluice status} prints the cause.
 *
 * <p>{@code -Dfailures=all} plays all; {@code -Dfailures=NAME,NAME -Dfailures.keep=600} plays some and keeps them for
 * ten minutes, to practise.
 */
@EnabledIfSystemProperty(named = "failures", matches = ".+", disabledReason = "-Dfailures=all plays it; see .ci/run")
class TenFailuresTest {
    private static final Duration FOUND_WITHIN = Duration.ofSeconds(300);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Path LOGS = Path.of("target", "failures").toAbsolutePath();
    private static final Pattern PENDING_FOR = Pattern.compile("(?m)^( +for:) .*$");

    /** Those that one installation can have, in any order but for those that hide others: these come last. */
    private static final List<List<OperatorFailure>> TOGETHER = List.of(
            List.of(
                    OperatorFailure.CERTIFICATE_ENDS,
                    OperatorFailure.SINK_DOWN,
                    OperatorFailure.MONITOR_DEAD,
                    OperatorFailure.GUEST_REFUSES,
                    OperatorFailure.MIGRATION_HANGS),
            List.of(OperatorFailure.NODE_FULL, OperatorFailure.DISK_FULL, OperatorFailure.DEAD_WATCH),
            List.of(OperatorFailure.API_SERVER_FROZEN, OperatorFailure.LEDGER_WITHOUT_MAJORITY));

    /** Installations beside each other, as they mostly wait. Guests of the later ones have addresses of 127.0.0.1. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> theAlertFiresAndStatusNamesTheCause() {
        assumeThat(Prometheus.isInstalled())
                .as("prometheus and promtool, of Debian's package prometheus")
                .isTrue();
        var chosen = System.getProperty("failures");
        var played = chosen.equals("all")
                ? TOGETHER
                : List.of(Stream.of(chosen.split(","))
                        .map(OperatorFailure::valueOf)
                        .toList());
        return played.stream()
                .map(together ->
                        together.stream().filter(OperatorFailure::isPossible).toList())
                .map(failures -> DynamicTest.dynamicTest(failures.toString(), () -> play(failures)));
    }

    private void play(List<OperatorFailure> failures) throws Exception {
        var folder = Files.createTempDirectory(Files.createDirectories(LOGS), "installation");
        var begun = new ArrayList<OperatorFailure>();
        try {
            var options = new ArrayList<String>();
            for (var failure : failures) {
                options.addAll(failure.options(folder));
                begun.add(failure);
            }
            play(failures, folder, options);
        } finally {
            for (var failure : begun) {
                failure.clear(folder);
            }
        }
    }

    private static void play(List<OperatorFailure> failures, Path folder, List<String> options) throws Exception {
        try (var sluice = Installation.start(folder, options, shortened(folder))) {
            var byHiding = failures.stream().collect(Collectors.partitioningBy(OperatorFailure::hidesOthers));
            provokeAndFind(sluice, byHiding.get(false), folder);
            provokeAndFind(sluice, byHiding.get(true), folder);
            keep(sluice);
        }
    }

    private static void provokeAndFind(Installation sluice, List<OperatorFailure> failures, Path folder)
            throws Exception {
        for (var failure : failures) {
            failure.provoke(sluice);
        }
        for (var failure : failures) {
            await(failure + ", logs in " + folder)
                    .atMost(FOUND_WITHIN)
                    .pollInterval(POLL)
                    .untilAsserted(() -> found(sluice, failure));
        }
    }

    private static void found(Installation sluice, OperatorFailure failure) throws Exception {
        assertThat(sluice.prometheus().firing()).contains(failure.alert());
        assertThat(sluice.command(List.of("status"))).contains(failure.shown());
    }

    /** The alerts without the time for which their condition must last, and with less patience for what lasts. */
    private static Path shortened(Path folder) throws IOException {
        var rules = PENDING_FOR.matcher(Files.readString(Alerts.FILE)).replaceAll("$1 0s");
        return Files.writeString(folder.resolve("shortened.yaml"), rules.replaceAll("> (1800|900)\\b", "> 20"));
    }

    private static void keep(Installation sluice) throws InterruptedException {
        int seconds = Integer.getInteger("failures.keep", 0);
        if (seconds > 0) {
            System.out.printf(
                    "console %s, alerts %salerts, log %s%n",
                    sluice.console(), sluice.prometheus().url(), sluice.home().resolve("log"));
            new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        }
    }
}
