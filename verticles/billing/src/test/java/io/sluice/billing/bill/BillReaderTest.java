package io.sluice.billing.bill;

import static io.sluice.billing.bill.BillFiles.append;
import static io.sluice.billing.bill.BillFiles.billed;
import static io.sluice.billing.bill.BillFiles.charge;
import static io.sluice.billing.bill.BillFiles.key;
import static io.sluice.billing.bill.BillFiles.start;
import static io.sluice.billing.bill.BillFiles.unbilled;
import static io.sluice.billing.bill.BillFiles.usage;
import static io.sluice.billing.bill.BillFiles.vcpuSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.billing.core.Bill;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.file.BadLine;
import io.sluice.billing.sink.file.FileSink;
import io.sluice.billing.sink.file.FileSinkConfig;
import io.sluice.billing.wire.EventKeys;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.units.VmId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillReaderTest {
    private static final MeterKey DB = key("db", "ep-1");
    private static final MeterKey WEB = key("web", "ep-2");

    @TempDir
    private Path directory;

    private BillFiles files;

    @BeforeEach
    void hasADirectory() {
        files = new BillFiles(directory);
    }

    private BillReader.Found read() throws IOException {
        return read(Instant.MIN, Instant.MAX);
    }

    private BillReader.Found read(Instant from, Instant to) throws IOException {
        return new BillReader(UsageMetricNames.DEFAULTS, from, to).read(directory);
    }

    @Test
    void addsUpTheWindowsOfEachVmAndEndpointByName() throws IOException {
        append(files.usageFile(1), usage(charge(WEB, 0, 1)), usage(charge(DB, 0, 2)), usage(charge(DB, 1, 4)));
        append(files.usageFile(1), usage(charge(key("db", "ep-9"), 2, 1)));
        append(files.accountFile(1), billed(charge(WEB, 0, 1), 24), billed(charge(DB, 0, 2), 96));
        append(files.accountFile(1), billed(charge(DB, 1, 4), 120), billed(charge(key("db", "ep-9"), 2, 1), -1));

        assertThat(read().bills())
                .containsExactly(
                        bill(
                                "default/db",
                                "neonvm",
                                "ep-1",
                                144,
                                48,
                                vcpuSeconds(144),
                                vcpuSeconds(216),
                                0,
                                0,
                                Duration.ZERO),
                        bill(
                                "default/db",
                                "neonvm",
                                "ep-9",
                                24,
                                24,
                                vcpuSeconds(0),
                                vcpuSeconds(0),
                                0,
                                1,
                                Duration.ZERO),
                        bill(
                                "default/web",
                                "neonvm",
                                "ep-2",
                                24,
                                24,
                                vcpuSeconds(24),
                                vcpuSeconds(24),
                                0,
                                0,
                                Duration.ZERO));
        assertThat(read().badLines()).isEmpty();
    }

    @Test
    void countsTheWindowsThatAreBilledForMoreThanWasHeld() throws IOException {
        append(files.accountFile(1), billed(charge(DB, 0, 2), 48), billed(charge(DB, 1, 2), 47));
        append(files.accountFile(1), billed(charge(DB, 2, 2), 0), billed(charge(DB, 3, 2), -1));

        assertThat(read().bills()).singleElement().satisfies(bill -> {
            assertThat(bill.above()).isEqualTo(2);
            assertThat(bill.unchecked()).isEqualTo(1);
            assertThat(bill.checkedMilliCpuNs()).isEqualTo(vcpuSeconds(144));
            assertThat(bill.heldMilliCpuNs()).isEqualTo(vcpuSeconds(95));
        });
    }

    /** A window that another process left is taken over late. It is compared with a bounded number of keys. */
    @Test
    void namesHowManyMayBeRepetitionsOfWhatIsNoLongerCompared() throws IOException {
        for (int window = 0; window < 100; window++) {
            append(files.usageFile(1), usage(charge(DB, window, 2)));
        }
        append(files.usageFile(1), usage(charge(DB, 99, 2)), usage(charge(DB, 3, 2)), usage(charge(DB, 100, 2)));

        var found = new BillReader(UsageMetricNames.DEFAULTS, Instant.MIN, Instant.MAX, 20).read(directory);
        assertThat(found.uncertain()).as("both events of window 3").isEqualTo(2);
        assertThat(read().uncertain()).as("all keys are compared").isZero();
    }

    @Test
    void reportsHowLongIsNotBilledWhateverTheCause() throws IOException {
        append(files.accountFile(1), unbilled(DB, 0, Gap.Cause.RESTART), unbilled(DB, 3, Gap.Cause.WATCH));

        assertThat(read().bills())
                .containsExactly(
                        Bill.empty("", "ep-1").missing(Duration.ofSeconds(48)).of("default/db", "neonvm"));
    }

    @Test
    void readsFilesThatTheSinkBeganAnewWhileItWrote() throws Exception {
        var config = new FileSinkConfig(directory.toString(), 4096, 1000, Duration.ofSeconds(1), 200);
        int windows = 200;
        try (var usage = new FileSink(config, "billing.file", EventKind.BILLING);
                var account = new FileSink(config, "billing.file", EventKind.ACCOUNT)) {
            for (int window = 0; window < windows; window++) {
                usage.send(batch(EventKind.BILLING, window, usage(charge(DB, window, 2))));
                account.send(batch(EventKind.ACCOUNT, window, billed(charge(DB, window, 2), 50)));
            }
        }

        try (var all = Files.list(directory)) {
            assertThat(all.filter(file -> file.toString().endsWith(".ndjson"))).hasSizeGreaterThan(10);
        }
        assertThat(read().badLines()).isEmpty();
        assertThat(read().bills())
                .containsExactly(bill(
                        "default/db",
                        "neonvm",
                        "ep-1",
                        48L * windows,
                        24L * windows,
                        vcpuSeconds(48L * windows),
                        vcpuSeconds(50L * windows),
                        0,
                        0,
                        Duration.ZERO));
    }

    /** A bill of a VM of which no change arrived late. */
    private static Bill bill(
            String vm,
            String driver,
            String endpoint,
            long compute,
            long active,
            BigInteger checked,
            BigInteger held,
            int above,
            int unchecked,
            Duration unbilled) {
        return new Bill(
                vm, driver, endpoint, compute, active, checked, held, above, unchecked, unbilled, BigInteger.ZERO);
    }

    private static Batch batch(EventKind kind, int number, String body) {
        int events = (int) body.lines().count();
        return new Batch(
                new QueueId(kind, "file"),
                number,
                "batch" + number,
                start(number),
                events,
                body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void leavesOutWhatTheSinkIsStillWritingAndReportsWhatIsTornForGood() throws IOException {
        var torn = usage(charge(DB, 1, 8)).lines().findFirst().orElseThrow();
        append(files.usageFile(1), usage(charge(DB, 0, 1)), torn.substring(0, 50));
        append(files.usageFile(2), usage(charge(DB, 2, 1)), torn.substring(0, 90));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24), "{\"vm\":\"default/db\",\"uid");

        var found = read();

        assertThat(found.bills()).singleElement().satisfies(bill -> {
            assertThat(bill.computeSeconds()).isEqualTo(48);
            assertThat(bill.checkedMilliCpuNs()).isEqualTo(vcpuSeconds(24));
        });
        assertThat(found.badLines()).singleElement().satisfies(bad -> {
            assertThat(bad.file()).isEqualTo(files.usageFile(1));
            assertThat(bad.line()).isEqualTo(3);
            assertThat(bad.why()).startsWith("the line should be JSON");
        });
    }

    @Test
    void reportsForeignAndDamagedLinesAndCountsTheOthers() throws IOException {
        var other = usage(charge(DB, 0, 1));
        append(files.usageFile(1), other, billed(charge(DB, 0, 1), 24), "not a line of ours\n", "\n");
        append(files.usageFile(1), other.replace("incremental", "absolute"), usage(charge(DB, 1, 1)));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24), other, billed(charge(DB, 1, 1), 24));

        var found = read();

        assertThat(found.bills()).singleElement().satisfies(bill -> {
            assertThat(bill.computeSeconds()).isEqualTo(48);
            assertThat(bill.activeSeconds()).isEqualTo(48);
            assertThat(bill.heldMilliCpuNs()).isEqualTo(vcpuSeconds(48));
        });
        assertThat(found.badLines())
                .extracting(bad -> bad.file().getFileName().toString().charAt(0) + " " + bad.line())
                .containsExactly("u 3", "u 4", "u 5", "u 6", "u 7", "a 2", "a 3");
        assertThat(found.badLines())
                .extracting(BadLine::why)
                .startsWith("type should be a text and is missing")
                .contains("type should be \"incremental\", not \"absolute\"")
                .endsWith("vm should be a text and is missing");
    }

    @Test
    void reportsWhatIsTooLongOrNoTextOrNoFileAndReadsOn() throws IOException {
        append(files.usageFile(1), usage(charge(DB, 0, 1)), "9".repeat(3 << 20) + "\n");
        Files.write(files.usageFile(1), new byte[] {(byte) 0xff, '\n'}, StandardOpenOption.APPEND);
        append(files.usageFile(1), usage(charge(DB, 1, 1)));
        Files.createDirectory(files.usageFile(2));
        append(files.usageFile(3), usage(charge(DB, 2, 1)));

        var found = read();

        assertThat(found.bills()).extracting(Bill::computeSeconds).containsExactly(72L);
        assertThat(found.badLines())
                .extracting(BadLine::file, BadLine::line)
                .containsExactly(
                        tuple(files.usageFile(1), 3L), tuple(files.usageFile(1), 4L), tuple(files.usageFile(2), 1L));
        assertThat(found.badLines().getFirst().why()).contains("1048576");
        assertThat(found.badLines().getFirst().toString()).startsWith(files.usageFile(1) + ":3: ");
    }

    @Test
    void passesOverFilesThatAreNotTheSinks() throws IOException {
        append(files.usageFile(1), usage(charge(DB, 0, 1)));
        append(directory.resolve("usage.ndjson"), "somebody's notes\n");
        append(directory.resolve("usage-2026-03-01T000000Z-000002.ndjson.gz"), "packed\n");
        append(directory.resolve("scaling-2026-03-01T000000Z-000001.ndjson"), "{\"kind\":\"actual\"}\n");
        append(directory.resolve(".usage.lock"), "");

        var found = read();

        assertThat(found.badLines()).isEmpty();
        assertThat(found.bills()).extracting(Bill::computeSeconds).containsExactly(24L);
    }

    /** Windows 0 to 9 of one vCPU: three in the first file, four in the second, three in the third. */
    @ParameterizedTest(name = "from {0} to {1} s")
    @CsvSource({
        "0, 240, 10",
        "24, 240, 9",
        "25, 240, 8",
        "0, 217, 10",
        "0, 216, 9",
        "48, 192, 6",
        "71, 74, 1",
        "73, 96, 0",
        "96, 96, 0",
        "240, 1000, 0"
    })
    void countsAWindowWholeWhereItBeginsWithinTheRange(long from, long to, int windows) throws IOException {
        for (int window = 0; window < 10; window++) {
            int file = window < 3 ? 1 : window < 7 ? 2 : 3;
            append(files.usageFile(file), usage(charge(DB, window, 1)));
            append(files.accountFile(file), billed(charge(DB, window, 1), 30));
        }

        var bills = read(BillFiles.DAY.plusSeconds(from), BillFiles.DAY.plusSeconds(to))
                .bills();

        assertThat(bills.stream().mapToLong(Bill::computeSeconds).sum()).isEqualTo(24L * windows);
        assertThat(bills.stream().mapToLong(Bill::activeSeconds).sum()).isEqualTo(24L * windows);
        assertThat(bills)
                .hasSize(windows == 0 ? 0 : 1)
                .allSatisfy(bill -> assertThat(bill.heldMilliCpuNs()).isEqualTo(vcpuSeconds(30L * windows)));
    }

    @Test
    void countsGapsThatBeginWithinTheRange() throws IOException {
        append(files.accountFile(1), unbilled(DB, 0, Gap.Cause.WATCH), unbilled(DB, 5, Gap.Cause.WATCH));

        assertThat(read(start(1), start(9)).bills()).extracting(Bill::unbilled).containsExactly(Duration.ofSeconds(24));
    }

    @Test
    void aVmIsKnownByNameThoughTheLineThatNamesItIsOutsideTheRange() throws IOException {
        append(files.usageFile(1), usage(charge(DB, 0, 1)), usage(charge(DB, 5, 1)), usage(charge(WEB, 5, 1)));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24));

        assertThat(read(start(5), start(6)).bills())
                .as("a VM without an account line is shown by its uid")
                .extracting(Bill::vm)
                .containsExactly("default/db", "uid-web");
    }

    @Test
    void namesTheDriverOfEachVm() throws IOException {
        var redis = new MeterKey(new VmId("pod", "default", "redis-0", "uid-redis"), "ep-1");
        append(files.usageFile(1), usage(charge(DB, 0, 1)), usage(charge(redis, 0, 1)), usage(charge(WEB, 0, 1)));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24), unbilled(redis, 5, Gap.Cause.WATCH));

        assertThat(read().bills())
                .as("that of a VM without an account line is unknown")
                .extracting(Bill::vm, Bill::driver)
                .containsExactly(tuple("default/db", "neonvm"), tuple("default/redis-0", "pod"), tuple("uid-web", ""));
    }

    @Test
    void countsARepeatOnce() throws IOException {
        append(files.usageFile(1), usage(charge(DB, 0, 1)), usage(charge(DB, 1, 1)), usage(charge(DB, 0, 1)));
        append(files.usageFile(2), usage(charge(DB, 1, 1)));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 30), billed(charge(DB, 0, 1), 30));
        append(files.accountFile(2), billed(charge(DB, 0, 1), -1), billed(charge(WEB, 0, 1), 20));
        append(files.accountFile(2), billed(charge(WEB, 0, 1), 20), billed(charge(key("web", "ep-3"), 0, 1), 24));
        append(files.accountFile(2), unbilled(DB, 7, Gap.Cause.RESTART), unbilled(DB, 7, Gap.Cause.RESTART));

        assertThat(read().bills())
                .containsExactly(
                        bill(
                                "default/db",
                                "neonvm",
                                "ep-1",
                                48,
                                48,
                                vcpuSeconds(24),
                                vcpuSeconds(30),
                                0,
                                0,
                                Duration.ofSeconds(24)),
                        bill(
                                "default/web",
                                "neonvm",
                                "ep-2",
                                0,
                                0,
                                vcpuSeconds(24),
                                vcpuSeconds(20),
                                1,
                                0,
                                Duration.ZERO),
                        bill(
                                "default/web",
                                "neonvm",
                                "ep-3",
                                0,
                                0,
                                vcpuSeconds(24),
                                vcpuSeconds(24),
                                0,
                                0,
                                Duration.ZERO));
    }

    @Test
    void addsUpWhatLateChangesLeftWrong() throws IOException {
        append(files.usageFile(1), usage(charge(DB, 0, 1)));
        append(files.accountFile(1), unbilled(DB, 7, Gap.Cause.LATE), unbilled(DB, 7, Gap.Cause.LATE));
        append(files.accountFile(1), unbilled(DB, 7, Gap.Cause.WATCH), billed(charge(DB, 0, 1), 30));

        assertThat(read().bills()).singleElement().satisfies(bill -> {
            assertThat(bill.lateMilliCpuNs()).isPositive();
            assertThat(bill.lateMilliCpuNs())
                    .isEqualTo(bill.plus(Bill.empty("", "")).lateMilliCpuNs());
            assertThat(bill.unbilled()).isEqualTo(Duration.ofSeconds(24));
        });
    }

    @Test
    void twoVmsOfOneEndpointAreNoRepeatsOfEachOther() throws IOException {
        var twin = key("twin", "ep-1");
        append(files.usageFile(1), usage(charge(DB, 0, 1)), usage(charge(twin, 0, 3)));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24), billed(charge(twin, 0, 3), 72));

        assertThat(read().bills()).extracting(Bill::computeSeconds).containsExactly(24L, 72L);
        assertThat(read().bills()).extracting(Bill::heldMilliCpuNs).containsExactly(vcpuSeconds(24), vcpuSeconds(72));
    }

    @Test
    void readsAmountsByTheNamesThatTheyHave() throws IOException {
        var names = new UsageMetricNames("cpu", "active");
        append(files.usageFile(1), usage(charge(DB, 0, 3), names, BillFiles.EXACT));

        assertThat(new BillReader(names, Instant.MIN, Instant.MAX)
                        .read(directory)
                        .bills())
                .extracting(Bill::computeSeconds, Bill::activeSeconds)
                .containsExactly(tuple(72L, 24L));
    }

    /** With other metric names in the config, amounts would silently be missing from the sums. */
    @Test
    void reportsAmountsWithOtherNamesInTheRange() throws IOException {
        var before = new UsageMetricNames("cpu", "active_time_seconds");
        append(files.usageFile(1), usage(charge(DB, 0, 1), before, BillFiles.EXACT));
        append(files.usageFile(1), usage(charge(DB, 1, 1), before, BillFiles.EXACT));
        append(files.usageFile(1), usage(charge(DB, 2, 1)));

        var found = read(start(1), start(9));

        assertThat(found.bills())
                .extracting(Bill::computeSeconds, Bill::activeSeconds)
                .containsExactly(tuple(24L, 48L));
        assertThat(found.badLines())
                .containsExactly(new BadLine(
                        files.usageFile(1),
                        3,
                        "metric should be \"effective_compute_seconds\" or \"active_time_seconds\", not \"cpu\""));
    }

    @Test
    void eventsOfTheReferencesArithmeticAreOfTheirEndpointAsAWhole() throws IOException {
        var numbered = new EventKeys.Numbered("host-1");
        var twin = key("twin", "ep-1");
        append(files.usageFile(1), usage(charge(DB, 0, 1), UsageMetricNames.DEFAULTS, numbered));
        append(files.usageFile(1), usage(charge(WEB, 1, 1), UsageMetricNames.DEFAULTS, numbered));
        append(files.accountFile(1), billed(charge(DB, 0, 1), 24), billed(charge(twin, 0, 2), 47));

        assertThat(read().bills())
                .containsExactly(
                        bill("", "", "ep-1", 24, 24, vcpuSeconds(72), vcpuSeconds(71), 1, 0, Duration.ZERO),
                        bill("", "", "ep-2", 24, 24, vcpuSeconds(0), vcpuSeconds(0), 0, 0, Duration.ZERO));
    }

    @Test
    void findsNothingInAnEmptyDirectoryAndNamesWhatIsNone() throws IOException {
        var none = new BillReader.Found(List.of(), List.of(), 0);
        assertThat(read()).isEqualTo(none);
        assertThat(new BillReader(UsageMetricNames.DEFAULTS, Instant.MIN, Instant.MAX)
                        .read(directory.resolve("missing")))
                .isEqualTo(none);
        var file = directory.resolve("a-file");
        append(file, "");

        assertThatThrownBy(() -> new BillReader(UsageMetricNames.DEFAULTS, Instant.MIN, Instant.MAX).read(file))
                .isInstanceOf(NotDirectoryException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void theAccountIsReadInTheOrderInWhichItWasWritten() throws IOException {
        append(files.accountFile(10), billed(charge(DB, 2, 1), 24));
        append(files.accountFile(9), billed(charge(DB, 0, 1), 24), unbilled(DB, 1, Gap.Cause.WATCH), "torn");
        var starts = new ArrayList<Instant>();

        var badLines =
                AccountReader.read(directory, line -> starts.add(line.part().start()));

        assertThat(starts).containsExactly(start(0), start(1), start(2));
        assertThat(badLines).extracting(BadLine::file, BadLine::line).containsExactly(tuple(files.accountFile(9), 3L));
    }
}
