package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.wire.AccountLineJson;
import io.sluice.billing.wire.EventKeys;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.units.VmId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillCommandTest {
    private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
    private static final int WINDOW_SECONDS = 24;

    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    private Path bills;

    @BeforeEach
    void listens() throws IOException {
        bills = Files.createDirectory(folder.resolve("bills"));
    }

    private int run(String... options) {
        var arguments = new ArrayList<>(List.of("bill"));
        arguments.addAll(List.of(options));
        return output.run(arguments.toArray(String[]::new));
    }

    private int ofThatDay(String... options) {
        var all = new ArrayList<>(List.of("--directory", bills.toString(), "--from", DAY.toString()));
        all.addAll(List.of(options));
        return run(all.toArray(String[]::new));
    }

    private List<String> printed() {
        return output.printed().lines().toList();
    }

    private static MeterKey key(String namespace, String vm, String endpoint) {
        return new MeterKey(new VmId("neonvm", namespace, vm, "uid-" + namespace + "-" + vm), endpoint);
    }

    private static BigInteger vcpuSeconds(long seconds) {
        return BigInteger.TEN.pow(12).multiply(BigInteger.valueOf(seconds));
    }

    /** A window with so many vCPUs, for which the ledger held so many vCPU-seconds. */
    private void billed(MeterKey key, Instant start, int cpus, long heldSeconds) throws IOException {
        int seconds = cpus * WINDOW_SECONDS;
        var charge = new UsageRecord(
                key,
                start,
                start.plusSeconds(WINDOW_SECONDS),
                vcpuSeconds(seconds),
                24_000_000_000L,
                seconds,
                WINDOW_SECONDS);
        var events = new UsageEvents(UsageMetricNames.DEFAULTS, new EventKeys.Exact());
        for (var event : events.of(List.of(charge), charge.stop())) {
            append("usage", UsageEventJson.write(event));
        }
        append("account", AccountLineJson.billed(charge, Optional.of(vcpuSeconds(heldSeconds))));
    }

    private void append(String word, byte[] line) throws IOException {
        Files.writeString(
                bills.resolve(word + "-2026-03-01T000000Z-000001.ndjson"),
                new String(line, StandardCharsets.UTF_8) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void someBills() throws IOException {
        billed(key("default", "db", "ep-1"), DAY, 2, 60);
        billed(key("default", "db", "ep-2"), DAY.plusSeconds(24), 1, 30);
        billed(key("other", "db", "ep-2"), DAY.plusSeconds(24), 1, 24);
        billed(key("default", "web", "ep-2"), DAY.plusSeconds(48), 4, 100);
    }

    @Test
    void showsEachBillAndTheirSum() throws IOException {
        someBills();

        assertThat(ofThatDay()).isEqualTo(Main.OK);
        assertThat(printed()).hasSize(6);
        assertThat(printed().get(1)).matches("default/db +neonvm +ep-1 +48 +24 +60\\.0  ok");
        assertThat(printed().get(2)).matches("default/db +neonvm +ep-2 +24 +24 +30\\.0  ok");
        assertThat(printed().get(3)).matches("default/web +neonvm +ep-2 +96 +24 +100\\.0  ok");
        assertThat(printed().get(4)).matches("other/db +neonvm +ep-2 +24 +24 +24\\.0  ok");
        assertThat(printed().get(5)).matches("all +4 bills +192 +96 +214\\.0  ok");
        assertThat(output.reported()).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1} {2} {3}")
    @CsvSource({
        "--vm, default/db, , , 2, 72",
        "--vm, db, , , 3, 96",
        "--vm, b, , , 0, 0",
        "--endpoint, ep-2, , , 3, 144",
        "--endpoint, ep, , , 0, 0",
        "--vm, db, --endpoint, ep-2, 2, 48",
        "--vm, default/db, --endpoint, ep-1, 1, 48",
        "--vm, default/web, --endpoint, ep-1, 0, 0",
        "--from, 2026-03-01T00:00:24Z, , , 3, 144",
        "--to, 2026-03-01T00:00:24Z, , , 1, 48",
        "--from, 2026-03-01T00:00:01Z, --to, 2026-03-01T00:00:25Z, 2, 48",
        "--from, 2026-03-01T00:00:24Z, --to, 2026-03-01T00:00:24Z, 0, 0"
    })
    void showsWhatIsRequested(String one, String of, String other, String ofOther, int rows, long seconds)
            throws IOException {
        someBills();
        var options = new ArrayList<>(List.of("--directory", bills.toString(), one, of));
        if (other != null) {
            options.addAll(List.of(other, ofOther));
        }
        if (!options.contains("--from")) {
            options.addAll(List.of("--from", DAY.toString()));
        }

        assertThat(run(options.toArray(String[]::new))).isEqualTo(Main.OK);
        assertThat(printed()).hasSize(rows + 2);
        assertThat(printed().getLast()).matches("all +" + rows + " bills? +" + seconds + " .*");
    }

    @Test
    void showsThisDayWhereNoTimeIsGiven() throws IOException {
        var now = Instant.now();
        billed(key("default", "db", "ep-1"), now.truncatedTo(ChronoUnit.DAYS), 1, 24);
        billed(key("default", "db", "ep-1"), now.truncatedTo(ChronoUnit.DAYS).minusNanos(1), 1, 24);
        billed(key("default", "db", "ep-1"), now.plusSeconds(3_600), 1, 24);

        assertThat(run("--directory", bills.toString())).isEqualTo(Main.OK);
        assertThat(printed().getLast()).matches("all +1 bill +24 .*");
    }

    @Test
    void endsWithOneWhereMoreWasBilledThanTheLedgerHeld() throws IOException {
        someBills();
        billed(key("default", "web", "ep-2"), DAY.plusSeconds(72), 4, 95);

        assertThat(ofThatDay()).isEqualTo(Main.FAILED);
        assertThat(printed())
                .filteredOn(line -> line.endsWith("  1 window is billed for more than was held"))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("default/web ");
        assertThat(ofThatDay("--vm", "db")).as("of a VM without a breach").isEqualTo(Main.OK);
        assertThat(ofThatDay("--to", DAY.plusSeconds(72).toString())).isEqualTo(Main.OK);
    }

    @Test
    void reportsWhatIsNotBilledAndEndsWithZero() throws IOException {
        someBills();
        append(
                "account",
                AccountLineJson.unbilled(
                        new Gap(key("default", "db", "ep-1"), DAY, DAY.plusMillis(2_500), 1_000, Gap.Cause.RESTART)));

        assertThat(ofThatDay()).isEqualTo(Main.OK);
        assertThat(printed().get(1)).endsWith("  2.5 s not billed, as the use is not known");
    }

    @Test
    void showsLinesThatAreNoBillsUpToSomeAndEndsWithOne() throws IOException {
        someBills();
        for (int i = 0; i < 12; i++) {
            append("usage", "nonsense".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(ofThatDay("--vm", "db")).isEqualTo(Main.FAILED);
        assertThat(printed()).hasSize(5 + 10 + 1).last().isEqualTo("and 2 more such lines");
        assertThat(printed().get(5))
                .startsWith("no bill: " + bills.resolve("usage-2026-03-01T000000Z-000001.ndjson") + ":9: the line");
        assertThat(printed().get(1)).as("the bills are printed nevertheless").startsWith("default/db ");
    }

    @Test
    void readsWhereTheConfigPointsAndByItsNames() throws IOException {
        someBills();
        var config = config("file: {directory: " + bills + "}");
        assertThat(run("--config", config, "--from", DAY.toString())).isEqualTo(Main.OK);
        assertThat(printed().getLast()).contains(" 192 ");

        var otherNames = config("cpuMetricName: cpu_seconds, file: {directory: " + bills + "}");
        assertThat(run("--config", otherNames, "--from", DAY.toString())).isEqualTo(Main.FAILED);
        assertThat(printed())
                .filteredOn(line -> line.endsWith("metric should be \"cpu_seconds\" or \"active_time_seconds\", not"
                        + " \"effective_compute_seconds\""))
                .hasSize(4);
    }

    private String config(String billing) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), "roles: [billing]\nbilling: {" + billing + "}\n")
                .toString();
    }

    @ParameterizedTest
    @CsvSource({
        "--from, yesterday",
        "--from, 2026-03-01",
        "--to, 2026-03-01T00:00:00",
        "--to, 1772323200",
    })
    void refusesATimeThatIsNone(String option, String value) {
        assertThat(ofThatDayOnly(option, value)).isEqualTo(Main.MISUSED);
        assertThat(output.reported())
                .startsWith("Invalid value for option '" + option + "'")
                .contains("'" + value + "' is no time such as 2026-11-21T03:00:00Z")
                .doesNotContain("java.");
        assertThat(printed()).isEmpty();
    }

    private int ofThatDayOnly(String option, String value) {
        return run("--directory", bills.toString(), option, value);
    }

    @Test
    void refusesARangeThatEndsBeforeItBegins() {
        assertThat(ofThatDay("--to", "2026-02-28T00:00:00Z")).isEqualTo(Main.MISUSED);
        assertThat(output.reported())
                .isEqualToNormalizingNewlines(
                        "sluice: --from=2026-03-01T00:00:00Z must not be later than --to=2026-02-28T00:00:00Z.\n");
        assertThat(ofThatDayOnly("--to", "2026-03-01T00:00:00Z"))
                .as("today's by default")
                .isEqualTo(Main.MISUSED);
        assertThat(printed()).isEmpty();
    }

    @Test
    void failsWhereThereIsNoSuchDirectory() throws IOException {
        var missing = folder.resolve("missing");
        assertThat(run("--directory", missing.toString())).isEqualTo(Main.FAILED);
        assertThat(output.reported())
                .isEqualToNormalizingNewlines("sluice: the bills in " + missing + " cannot be read: there is no such"
                        + " directory. --directory or --config names their directory.\n");
        var file = Files.writeString(folder.resolve("a-file"), "");
        assertThat(run("--directory", file.toString())).isEqualTo(Main.FAILED);
        assertThat(printed()).isEmpty();
    }

    @Test
    void anEmptyDirectoryHoldsNoBills() {
        assertThat(ofThatDay()).isEqualTo(Main.OK);
        assertThat(printed()).hasSize(2).last().asString().matches("all +0 bills +0 +0 +-  not checked");
    }

    @Test
    void refusesAConfigThatWritesNoFilesOrHasMistakes() throws IOException {
        assertThat(run("--config", config("file: {directory: ''}"))).isEqualTo(Main.MISUSED);
        assertThat(output.reported()).contains("billing.file.directory", "--directory");
        assertThat(run("--config", config("cpuMetricName: ''"))).isEqualTo(Main.MISUSED);
        assertThat(output.reported()).contains("billing.cpuMetricName must name a metric, not be blank");
        assertThat(run("--config", folder.resolve("none.yaml").toString())).isEqualTo(Main.MISUSED);
        assertThat(printed()).isEmpty();
    }

    @Test
    void refusesUnknownOptions() {
        assertThat(run("--month", "3")).isEqualTo(Main.MISUSED);
        assertThat(output.reported()).contains("--month");
        assertThat(run("--help")).isEqualTo(Main.OK);
        assertThat(printed()).anyMatch(line -> line.contains("--endpoint=ID"));
    }
}
