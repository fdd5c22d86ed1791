package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.events;
import static io.sluice.billing.Bills.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.BillingAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.billing.VmBill;
import io.sluice.messages.cluster.VmGone;
import io.sluice.shell.FakePeers;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was billed of a VM, as it is requested on the bus. */
@Execution(ExecutionMode.CONCURRENT)
class BillAnswersTest {
    private static final ReadVmBill DB = new ReadVmBill("default", "db", "node-a");

    @TempDir
    private Path directory;

    @TempDir
    private Path other;

    @ParameterizedTest
    @ValueSource(strings = {"exact", "reference"})
    void repliesWithWhatIsInTheFilesAlsoOfADeletedVm(String arithmetic) {
        try (var rig = new BillingRig(directory)) {
            rig.with("arithmetic", arithmetic).with("host", "agent-1");
            var vm = rig.vm("db", 1, "ep-1", 4_000);
            var before = rig.shell.clock().instant();
            rig.start();
            await().atMost(WAIT).ignoreExceptions().until(() -> sum(bill(rig), VmBill.Hour::computeSeconds) >= 8);
            assertThat(bill(rig).since()).isBetween(before, rig.shell.clock().instant());

            rig.loses("db");
            rig.bus.publish(ClusterAddresses.VM_GONE, new VmGone(vm, 2));
            await().atMost(WAIT).until(() -> metered(rig) == 0);

            await().atMost(WAIT)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(sum(bill(rig), VmBill.Hour::computeSeconds))
                            .isEqualTo(value(events(rig), "ep-1")));
            assertThat(sum(bill(rig), VmBill.Hour::activeSeconds)).isPositive();
        }
    }

    @Test
    void repliesWithGapsByTheirCause() {
        try (var rig = new BillingRig(directory)) {
            rig.vm("db", 1, "ep-1", 1_000);
            rig.start();
            await().atMost(WAIT).ignoreExceptions().until(() -> sum(bill(rig), VmBill.Hour::computeSeconds) > 0);
            rig.watching(false);
            await().atMost(WAIT)
                    .until(() ->
                            rig.meters.get("sluice.billing.missing").gauge().value() == 1);
            rig.vm("db", 2, "ep-1", 2_000);
            rig.watching(true);

            await().atMost(WAIT).ignoreExceptions().until(() -> sum(bill(rig), VmBill.Hour::watchMs) > 0);
            var seconds = rig.meters
                    .get("sluice.billing.unbilled.seconds")
                    .tag("cause", "watch")
                    .counter()
                    .count();
            assertThat(sum(bill(rig), VmBill.Hour::watchMs))
                    .as("one gap, in whole milliseconds")
                    .isCloseTo(Math.round(seconds * 1_000), within(1L));
            assertThat(sum(bill(rig), VmBill.Hour::restartMs)).isZero();
        }
    }

    @Test
    void anyProcessReachesTheLeaderAndTheNextOneBeginsAnew() {
        var one = new FakePeers("one", "billing");
        var two = new FakePeers("two", "billing");
        one.observes(two.self());
        two.observes(one.self());
        try (var rig = new BillingRig(directory, one)) {
            // As if a leader had been there, so that nobody waits for the disks of others.
            rig.replica.entries.put("checkpoint/nobody/exact/clock", """
                {"format":2,"bill":"2020-01-01T00:00:00Z","machineNanos":1,"boot":"b"}\
                """.getBytes(UTF_8));
            rig.vm("db", 1, "ep-1", 1_000);
            rig.start();
            rig.startBeside(other, new SimpleMeterRegistry(), two);
            await().atMost(WAIT).ignoreExceptions().until(() -> sum(bill(rig), VmBill.Hour::computeSeconds) > 0);

            // Both processes are on this bus, which lets them take turns.
            var first = List.of(bill(rig), bill(rig), bill(rig), bill(rig));
            assertThat(first)
                    .extracting(VmBill.Billed::since)
                    .containsOnly(first.getFirst().since());
            assertThat(first).allMatch(bill -> sum(bill, VmBill.Hour::computeSeconds) > 0);

            rig.stop();
            two.observes();
            var since = first.getFirst().since();
            await().atMost(WAIT)
                    .ignoreExceptions()
                    .until(() -> bill(rig).since().isAfter(since) && sum(bill(rig), VmBill.Hour::computeSeconds) > 0);
        }
    }

    @Test
    void refusesWhileNoProcessLeads() {
        var one = new FakePeers("one", "billing");
        one.observes(new FakePeers("two", "billing").self());
        try (var rig = new BillingRig(directory, one)) {
            // Nobody left a copy, so it waits for the disks of others.
            rig.start();

            assertThatThrownBy(() -> bill(rig)).hasMessageContaining("this process does not lead billing");
        }
    }

    @Test
    void whereEachProcessBillsANodeTheRequestGoesToThatOfTheVm() {
        try (var rig = new BillingRig(directory)) {
            var elsewhere = new VmBill.Unknown(7);
            BillingRig.done(
                    rig.bus.serve(BillingAddresses.VM_BILL.at("node-a"), request -> Future.succeededFuture(elsewhere)));
            BillingRig.done(rig.vertx.deployVerticle(BillingVerticle.ofNode("node-b", rig.config(), rig.shell)));

            assertThat(request(rig, DB)).isEqualTo(elsewhere);
            assertThat(request(rig, new ReadVmBill("default", "db", "node-b"))).isInstanceOf(VmBill.Billed.class);
            assertThat(request(rig, new ReadVmBill("default", "db", ""))).isInstanceOf(VmBill.Billed.class);
        }
    }

    private static double metered(BillingRig rig) {
        return rig.meters.get("sluice.billing.vms.metered").gauge().value();
    }

    private static VmBill.Billed bill(BillingRig rig) {
        return (VmBill.Billed) request(rig, DB);
    }

    private static VmBill request(BillingRig rig, ReadVmBill request) {
        return BillingRig.done(rig.bus.request(BillingAddresses.VM_BILL, request));
    }

    private static long sum(VmBill.Billed bill, ToLongFunction<VmBill.Hour> amount) {
        return bill.hours().stream().mapToLong(amount).sum();
    }
}
