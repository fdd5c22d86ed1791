package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** GPUs: the ledger chooses them with the hold, and never promises more of one than it has. */
class GpusOfNodesTest {
    private static final int MIB = 16_384;

    private final Scene scene = Scene.loaded();

    @BeforeEach
    void aNodeWithTwoGpus() {
        observed(GpuMode.SHARED, true);
    }

    private void observed(GpuMode mode, boolean healthy) {
        var devices = List.of(
                new Device("GPU-0", 0, "T4", MIB),
                new Device("GPU-1", 1, "T4", MIB, Device.WHOLE_CORE, healthy, Optional.empty(), Map.of()));
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE,
                scene.nextVersion(),
                new Resources(10_000, Scene.MEMORY_TOTAL),
                "",
                List.of(),
                true,
                FixedAmounts.of(Map.of(FixedAmounts.PODS, 200L)),
                new NodeDevices(mode, devices))));
    }

    private HoldReply hold(String holder, GpuRequest... requests) {
        return scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE,
                holder,
                "ns",
                holder,
                "",
                cpu(10),
                Overcommit.OFF,
                Duration.ofSeconds(30),
                AttemptId.NONE,
                FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L, NodeDevices.WHOLE_DEVICES, wholes(requests))),
                List.of(requests),
                0)));
    }

    private static long wholes(GpuRequest... requests) {
        return List.of(requests).stream()
                .filter(GpuRequest::isWhole)
                .mapToLong(GpuRequest::devices)
                .sum();
    }

    private static GpuRequest share(long memoryMiB, int core) {
        return new GpuRequest(0, "alnair", 1, GpuRequest.Amounts.share(memoryMiB, core), GpuRequest.Selector.ANY);
    }

    private static GpuRequest whole(int devices) {
        return new GpuRequest(0, GpuRequest.NVIDIA, devices, GpuRequest.Amounts.WHOLE, GpuRequest.Selector.ANY);
    }

    private static List<GpuShare> shares(HoldReply reply) {
        return ((HoldReply.Held) reply).gpus().shares();
    }

    private static Cause refusal(HoldReply reply) {
        return ((HoldReply.NoDevice) reply).misfit().cause();
    }

    private long reserved(String uuid) {
        return scene.state.sums().fixed().of(Device.memoryOf(uuid));
    }

    private void bound(String id, GpuShare... shares) {
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved(id, "ns", id, Scene.NODE, "", scene.nextVersion(), cpu(10), 0)
                        .with(new GpuDemand(List.of(), List.of(shares), ""))));
    }

    @Test
    @DisplayName("AT-U9: of 100 requests for 1024 MiB one device of 16384 gets exactly 16, and what is written adds up")
    void neverPromisesADeviceTwice() {
        observed(GpuMode.SHARED, false);
        long written = 0;
        int held = 0;
        for (int i = 0; i < 100; i++) {
            if (hold("p" + i, share(1_024, 0)) instanceof HoldReply.Held reply) {
                held++;
                written += reply.gpus().shares().getFirst().memoryMiB();
            }
        }
        assertThat(held).isEqualTo(16);
        assertThat(written).isEqualTo(reserved("GPU-0")).isEqualTo(MIB);
    }

    @Test
    void aRepeatGetsTheSameDevices() {
        var first = shares(hold("A", share(1_000, 10)));
        hold("B", whole(1));

        assertThat(shares(hold("A", share(1_000, 10)))).isEqualTo(first).hasSize(1);
        assertThat(reserved("GPU-0")).isEqualTo(1_000);
    }

    @Test
    void takesWholeDevicesThatTheKubeletDoesNotHave() {
        assertThat(shares(hold("A", whole(2)))).extracting(GpuShare::uuid).containsExactly("GPU-0", "GPU-1");
        assertThat(refusal(hold("B", share(1, 0)))).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
    }

    @Test
    void aHoldThatEndsFreesThem() {
        hold("A", whole(2));

        scene.run(new LedgerCommand.Release("A", AttemptId.NONE));
        assertThat(reserved("GPU-0")).isZero();
        assertThat(shares(hold("B", whole(2)))).hasSize(2);
    }

    @Test
    void thePodTakesThemOver() {
        var held = shares(hold("A", share(1_000, 10)));
        bound("A", held.getFirst());
        assertThat(reserved("GPU-0")).isEqualTo(1_000);

        bound("A", new GpuShare(0, 1, "GPU-1", 2_000, 10));
        assertThat(reserved("GPU-0")).as("its agent gives what the pod names").isZero();
        assertThat(reserved("GPU-1")).isEqualTo(2_000);
    }

    @Test
    void countsWhatOthersGave() {
        bound("other", new GpuShare(0, GpuShare.UNKNOWN_MINOR, "GPU-0", 16_000, 0));

        assertThat(shares(hold("A", share(1_000, 0))))
                .extracting(GpuShare::uuid)
                .containsExactly("GPU-1");
        assertThat(refusal(hold("B", whole(1)))).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
    }

    @Test
    void refusesWhatAnotherAllocatorHas() {
        observed(GpuMode.WHOLE, true);
        assertThat(refusal(hold("A", share(1_000, 0)))).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
        observed(GpuMode.DRA, true);
        assertThat(refusal(hold("A", whole(1)))).isEqualTo(Cause.GPU_NODE_MODE);
    }

    /** Its total is nothing any more; what was promised of it stays promised. */
    @Test
    void holdsNothingNewOnAnUnhealthyDevice() {
        hold("A", whole(1));
        hold("B", share(100, 0));
        observed(GpuMode.SHARED, false);

        assertThat(reserved("GPU-1")).isEqualTo(100);
        assertThat(refusal(hold("C", share(100, 0)))).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
        assertThat(LedgerView.summary(scene.state, 0).fixedTotal().of(Device.memoryOf("GPU-1")))
                .isZero();
    }

    /** A device cannot move with its VM. */
    @Test
    void aVmWithADeviceIsNotMigratable() {
        bound("A", new GpuShare(0, 0, "GPU-0", 100, 0));

        var reservation = LedgerView.full(scene.state, 0).reservations().getFirst();
        assertThat(reservation.traits().migratable()).isFalse();
        assertThat(reservation.traits().fixed().of(Device.memoryOf("GPU-0"))).isEqualTo(100);
    }
}
