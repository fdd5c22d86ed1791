package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.covered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.MeterEntry;
import io.sluice.billing.core.exact.UsageMeterState;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxLog;
import io.sluice.billing.outbox.OutboxSettings;
import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.billing.replica.Replicator;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.shell.Dumps;
import io.sluice.shell.FakePeers;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.OnContext;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A process that led a week ago has a checkpoint on its disk. Another one has billed since. */
@Execution(ExecutionMode.CONCURRENT)
class FormerLeaderTest {
    private static final VmId VM = new VmId("neonvm", "default", "db-1", "uid-db-1");

    private final FakePeers one = new FakePeers("one", "billing");
    private final FakePeers two = new FakePeers("two", "billing");
    private final Instant start = Instant.now();
    private final Instant weekAgo = start.minus(Duration.ofDays(7));

    @TempDir
    private Path ones;

    @TempDir
    private Path twos;

    private Map<String, byte[]> old() {
        var state = new UsageMeterState(
                new MeterKey(VM, "ep-1"), 1, 1_000, weekAgo, weekAgo, weekAgo, BigInteger.ZERO, 0, 0, 0, List.of());
        return UsageCheckpoint.write(
                new BillingClock.Reading(weekAgo, 1, "another boot"),
                Optional.of(weekAgo),
                Optional.of(weekAgo),
                Map.of(VM, new MeterEntry.Running(state)));
    }

    /** Both processes run, and {@code two} has the old checkpoint. */
    private BillingRig started() throws IOException {
        try (var outbox = outbox(twos.resolve("outbox"))) {
            outbox.accept(new OutboxWrite(OpenedOutbox.METERS, 1, Map.of(), old()), start);
        }
        one.observes(two.self());
        two.observes(one.self());
        var rig = new BillingRig(ones, one);
        rig.replica.entries.put("checkpoint/nobody/exact/clock", """
            {"format":2,"bill":"2020-01-01T00:00:00Z","machineNanos":1,"boot":"b"}\
            """.getBytes(UTF_8));
        rig.vm("db-1", 1, "ep-1", 1_000);
        return rig.start();
    }

    private static Outbox outbox(Path directory) throws IOException {
        return Outbox.open(
                directory,
                new OutboxSettings(List.of(), Instant::now, new Random(1)),
                new OutboxLog(new SimpleMeterRegistry(), Instant::now));
    }

    private List<UsageEvent> ofTwo() {
        return Bills.events(BillingRig.lines(twos, "usage"));
    }

    private List<UsageEvent> ofOne() {
        return Bills.events(BillingRig.lines(ones, "usage"));
    }

    private static boolean isCopied(BillingRig rig) {
        return rig.replica.entries.keySet().stream().anyMatch(key -> key.startsWith("checkpoint/one.1/exact/meter/"));
    }

    @Test
    void itsCheckpointIsNeverContinuedEvenIfAllCopiesAreLost() throws IOException {
        try (var rig = started()) {
            await().atMost(WAIT).until(() -> isCopied(rig));
            rig.startBeside(twos, new SimpleMeterRegistry(), two);
            await().atMost(WAIT)
                    .ignoreExceptions()
                    .until(() -> checkpointOfTwo().keySet().equals(Set.of(UsageCheckpoint.CLOCK)));
            await().atMost(WAIT).until(() -> ofOne().size() > 4);

            rig.stop();
            rig.replica.entries.clear();
            two.observes();
            await().atMost(Duration.ofSeconds(40)).until(() -> ofTwo().size() > 4);
        }
        var last = ofOne().getLast().stopTime();
        assertThat(ofTwo()).allSatisfy(event -> assertThat(event.startTime()).isAfterOrEqualTo(last));
    }

    /** Reads a copy of the files as they are now. */
    private Map<String, byte[]> checkpointOfTwo() throws IOException {
        var copy = Files.createTempDirectory(twos, "copy");
        try (var files = Files.list(twos.resolve("outbox"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        try (var outbox = outbox(copy)) {
            return outbox.checkpoints(UsageCheckpoint.PREFIX);
        }
    }

    @Test
    void whereCopiesCannotBeReadItBillsTheLastTenMinutesAtMostAndReportsTheRest() throws IOException {
        try (var rig = started()) {
            await().atMost(WAIT).until(() -> isCopied(rig));
            rig.replica.failing = true;
            rig.startBeside(twos, new SimpleMeterRegistry(), two);
            rig.stop();
            two.observes();
            await().atMost(Duration.ofSeconds(40)).until(() -> ofTwo().size() > 4);
        }
        var tenMinutes = Duration.ofMinutes(10);
        assertThat(ofTwo())
                .allSatisfy(event -> assertThat(event.startTime())
                        .isAfter(start.minus(tenMinutes).minusSeconds(2)));
        assertThat(covered(ofTwo(), "ep-1")).isGreaterThan(tenMinutes);
        assertThat(BillingRig.lines(twos, "account"))
                .filteredOn(line -> line.contains("unbilled"))
                .singleElement()
                .asString()
                .contains(weekAgo.toString().substring(0, 19));
    }

    /** Otherwise nothing would be billed for ten minutes. */
    @Test
    void itsClockContinuesFromThatOfTheLastLeader() {
        var ahead = start.plus(Duration.ofMinutes(10));
        try (var rig = new BillingRig(twos, two)) {
            var state = new UsageMeterState(
                    new MeterKey(VM, "ep-1"), 1, 1_000, ahead, ahead, ahead, BigInteger.ZERO, 0, 0, 0, List.of());
            UsageCheckpoint.write(
                            new BillingClock.Reading(ahead, 1, "another boot"),
                            Optional.of(ahead),
                            Optional.of(ahead),
                            Map.of(VM, new MeterEntry.Running(state)))
                    .forEach((name, value) -> rig.replica.entries.put("checkpoint/one.1/" + name, value));
            one.observes(two.self());
            two.observes();
            rig.vm("db-1", 1, "ep-1", 1_000);
            rig.start();
            await().atMost(WAIT).until(() -> ofTwo().size() > 4);
        }
        assertThat(ofTwo()).allSatisfy(event -> assertThat(event.startTime()).isAfterOrEqualTo(ahead));
    }

    @Test
    void howeverOftenItsDiskCannotBeReadItContinuesFromTheCopyOfTheLastLeader() throws Exception {
        var vertx = Vertx.vertx();
        var led = new CompletableFuture<UsageCheckpoint.Read>();
        var reads = new AtomicInteger();
        var replica = new MapReplica();
        var copied = new HashMap<>(UsageCheckpoint.write(
                new BillingClock.Reading(start, 1, "another boot"), Optional.of(start), Optional.of(start), Map.of()));
        copied.forEach((name, value) -> replica.entries.put("checkpoint/one.1/" + name, value));
        var shell = new Shell(
                new MonotonicClock(),
                new SimpleMeterRegistry(),
                new SimpleMeterRegistry(),
                new Readiness(),
                new Dumps(),
                new Random(1),
                two,
                replica);
        vertx.runOnContext(now -> new Leader(
                        vertx,
                        shell,
                        true,
                        new Replicator(replica, "two", UsageCheckpoint.CLOCK, 1),
                        prefix -> reads.incrementAndGet() <= 22
                                ? Future.failedFuture("the disk fails")
                                : Future.succeededFuture(old()),
                        new FirstLead(led),
                        new BillingLog())
                .start(new OnContext(vertx.getOrCreateContext())));
        try {
            await().atMost(Duration.ofSeconds(40)).until(led::isDone);
            assertThat(led.get().receivedUntil()).contains(start);
        } finally {
            BillingRig.done(vertx.close());
        }
    }

    private record FirstLead(CompletableFuture<UsageCheckpoint.Read> led) implements Leader.Part {
        @Override
        public void lead(TakeOver from) {
            led.complete(from.last());
        }

        @Override
        public void standBy() {
            throw new AssertionError("it leads");
        }

        @Override
        public void remove(Set<String> entries, Runnable durable) {
            durable.run();
        }

        @Override
        public Future<Void> take(String key, Map<EventKind, List<byte[]>> window) {
            return Future.succeededFuture();
        }
    }
}
