package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.awaitEvents;
import static io.sluice.billing.Bills.covered;
import static io.sluice.billing.Bills.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.billing.bill.AccountReader;
import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.VmGone;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests billing by the reference's arithmetic, from observations on the bus to the files. */
class ReferenceBillingTest {
    private static final BigInteger MILLI_CPU_NS_PER_SECOND = BigInteger.TEN.pow(12);
    private static final Duration OFFSET = Duration.ofMillis(500);
    private static final String CPU = "effective_compute_seconds";
    private static final String ACTIVE = "active_time_seconds";
    private static final Pattern KEY =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?Z)-agent-1-(\\d+)/(\\d+)");

    @TempDir
    private Path directory;

    private BillingRig rig;

    @BeforeEach
    void makesARig() {
        rig = new BillingRig(directory).with("arithmetic", "reference").with("host", "agent-1");
    }

    @AfterEach
    void closesIt() {
        rig.close();
    }

    private Instant now() {
        return rig.shell.clock().instant();
    }

    /** Until when a first window begins: another timer of that length says how late the machine is. */
    private Instant latest() {
        BillingRig.done(rig.vertx.timer(OFFSET.toMillis(), TimeUnit.MILLISECONDS));
        return now().plus(OFFSET);
    }

    /** Returns the account lines of billed use, by the window's start. */
    private Map<Instant, AccountLine.Billed> billed() throws IOException {
        var lines = new ArrayList<AccountLine>();
        assertThat(AccountReader.read(directory.resolve("bills"), lines::add)).isEmpty();
        var billed = new TreeMap<Instant, AccountLine.Billed>();
        for (var line : lines) {
            assertThat(line).isInstanceOf(AccountLine.Billed.class);
            assertThat(billed.put(line.part().start(), (AccountLine.Billed) line))
                    .isNull();
        }
        return billed;
    }

    private List<UsageEvent> of(String endpoint, String metric) {
        return events(rig).stream()
                .filter(event ->
                        event.endpointId().equals(endpoint) && event.metric().equals(metric))
                .toList();
    }

    private static long rounded(BigInteger milliCpuNs) {
        return milliCpuNs
                .add(MILLI_CPU_NS_PER_SECOND.shiftRight(1))
                .divide(MILLI_CPU_NS_PER_SECOND)
                .longValueExact();
    }

    private static BigInteger milliCpu(long milliCpu, Duration time) {
        return BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(time.toNanos()));
    }

    @Test
    void billsWindowAfterWindowByTheReferencesSchedule() throws IOException {
        rig.vm("db", 1, "ep-1", 4_000);
        var before = now();
        rig.start();
        var latest = latest();
        awaitEvents(rig, 6);
        rig.stop();

        var cpu = of("ep-1", CPU);
        assertThat(cpu.getFirst().startTime()).isBetween(before.plus(OFFSET), latest);
        var covered = covered(events(rig), "ep-1");
        var account = billed();
        assertThat(account).hasSameSizeAs(cpu);
        var sum = BigInteger.ZERO;
        for (var event : cpu) {
            var line = account.get(event.startTime());
            assertThat(line.part().stop()).isEqualTo(event.stopTime());
            assertThat(line.part().vm()).isEqualTo("default/db");
            assertThat(line.milliCpuNs().mod(BigInteger.valueOf(4_000))).isZero();
            assertThat(event.value()).isEqualTo(rounded(line.milliCpuNs()));
            sum = sum.add(line.milliCpuNs());
        }
        assertThat(sum).isBetween(BigInteger.ONE, milliCpu(4_000, covered));
        assertThat(of("ep-1", ACTIVE))
                .extracting(UsageEvent::startTime)
                .isEqualTo(cpu.stream().map(UsageEvent::startTime).toList());
    }

    @Test
    void numbersTheEventsOfAWindowUnderTheHostsName() {
        // In a shorter window a busy machine may have a sample of one of the two alone.
        rig.with("accumulateEvery", "5s");
        rig.vm("db", 1, "ep-1", 1_000);
        rig.vm("web", 1, "ep-2", 1_000);
        rig.start();
        awaitEvents(rig, 8);
        rig.stop();

        var numbers = new HashMap<String, List<Integer>>();
        var keys = new HashSet<String>();
        for (var event : events(rig)) {
            var key = KEY.matcher(event.idempotencyKey());
            assertThat(key.matches()).as(event.idempotencyKey()).isTrue();
            assertThat(keys.add(event.idempotencyKey())).isTrue();
            assertThat(Instant.parse(key.group(1)))
                    .isAfterOrEqualTo(event.stopTime().minusNanos(1_000));
            assertThat(key.group(3)).isEqualTo("4");
            numbers.computeIfAbsent(key.group(1), made -> new ArrayList<>()).add(Integer.valueOf(key.group(2)));
        }
        assertThat(numbers).allSatisfy((made, of) -> assertThat(of).containsExactly(1, 2, 3, 4));
    }

    private void awaitALook() {
        await().atMost(WAIT)
                .until(() ->
                        rig.meters.get("sluice.billing.vms.metered").gauge().value() == 1);
    }

    @Test
    void billsThePartOfAWindowThatThereIsAtAStop() throws IOException {
        rig.with("accumulateEvery", "1h").vm("db", 1, "ep-1", 3_000);
        var before = now();
        rig.start();
        var latest = latest();
        awaitALook();
        assertThat(rig.lines("usage")).isEmpty();
        var stops = now();
        rig.stop();

        assertThat(events(rig)).extracting(UsageEvent::metric).containsExactly(CPU, ACTIVE);
        var event = events(rig).getFirst();
        assertThat(event.startTime()).isBetween(before.plus(OFFSET), latest);
        assertThat(event.stopTime()).isBetween(stops, now());
        var line = billed().get(event.startTime());
        assertThat(line.part().stop()).isEqualTo(event.stopTime());
        assertThat(line.milliCpuNs())
                .isBetween(BigInteger.ONE, milliCpu(3_000, Duration.between(event.startTime(), event.stopTime())));
        assertThat(event.value()).isEqualTo(rounded(line.milliCpuNs()));
    }

    @Test
    void whatWasNotBilledWhileTheProcessWasAwayIsNotBilledLater() throws IOException {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();
        var stopped = of("ep-1", CPU).getLast().stopTime();
        int before = events(rig).size();
        var again = now();
        rig.start();
        awaitEvents(rig, before + 2);
        rig.stop();

        var starts = of("ep-1", CPU).stream()
                .map(UsageEvent::startTime)
                .filter(start -> !start.isBefore(stopped))
                .toList();
        assertThat(starts.getFirst()).isAfterOrEqualTo(again.plus(OFFSET).minusMillis(1));
        assertThat(billed()).hasSize(of("ep-1", CPU).size());
    }

    @Test
    void aVmThatIsGoneIsBilledUpToItsLastLook() {
        var db = rig.vm("db", 1, "ep-1", 2_000);
        rig.vm("web", 1, "ep-2", 1_000);
        rig.start();
        await().atMost(WAIT).until(() -> !of("ep-1", CPU).isEmpty());
        rig.loses("db");
        rig.bus.publish(ClusterAddresses.VM_GONE, new VmGone(db, 2));
        awaitALook();
        int windows = of("ep-2", CPU).size();
        await().atMost(WAIT).until(() -> of("ep-2", CPU).size() >= windows + 3);
        rig.stop();

        assertThat(of("ep-1", CPU).getLast().stopTime())
                .isBefore(of("ep-2", CPU).getLast().startTime());
        assertThat(of("ep-1", CPU).size()).isLessThan(of("ep-2", CPU).size());
    }
}
