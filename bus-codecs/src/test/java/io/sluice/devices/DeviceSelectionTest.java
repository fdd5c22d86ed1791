package io.sluice.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.devices.GpuRequest.Amounts;
import io.sluice.devices.GpuRequest.Selector;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which devices a request gets, and why none. */
class DeviceSelectionTest {
    private static final int MIB = 16_384;

    private DeviceRoom room = room(2);

    private static DeviceRoom room(int devices) {
        return DeviceRoom.of(
                new NodeDevices(
                        GpuMode.SHARED,
                        IntStream.range(0, devices)
                                .mapToObj(minor -> new Device("GPU-" + minor, minor, "Tesla T4", MIB))
                                .toList()),
                FixedAmounts.NONE);
    }

    private static GpuRequest request(int devices, Amounts each, Selector selector) {
        return new GpuRequest(0, "alnair", devices, each, selector);
    }

    private static GpuRequest share(long memoryMiB, int core) {
        return request(1, Amounts.share(memoryMiB, core), Selector.ANY);
    }

    private static GpuRequest whole(int devices, Selector selector) {
        return new GpuRequest(0, GpuRequest.NVIDIA, devices, Amounts.WHOLE, selector);
    }

    private void used(int minor, long memoryMiB, int core) {
        room = room.taking(List.of(new GpuShare(0, minor, "GPU-" + minor, memoryMiB, core)));
    }

    /** The numbers of the devices that were chosen, which are taken. */
    private List<Integer> take(GpuRequest... requests) {
        var chosen = (DeviceSelection.Chosen) DeviceSelection.select(room, List.of(requests), false);
        room = room.taking(chosen.shares());
        return chosen.shares().stream().map(GpuShare::minor).toList();
    }

    private DeviceMisfit refused(GpuRequest... requests) {
        return ((DeviceSelection.Refused) DeviceSelection.select(room, List.of(requests), false)).misfit();
    }

    @Test
    @DisplayName("AT-U2: room is not added up over devices")
    void doesNotAddUp() {
        used(0, 10_240, 0);
        used(1, 10_240, 0);

        assertThat(refused(share(8_192, 0)).text()).isEqualTo("GPU_NO_DEVICE_FITS(max free MiB=6144)");
        assertThat(take(request(2, Amounts.share(4_096, 0), Selector.ANY))).containsExactly(0, 1);
    }

    @Test
    @DisplayName("AT-U3: a device of 16384 MiB takes 32 jobs of 500 MiB, and not 33")
    void countsMebibytes() {
        room = room(1);
        for (int i = 0; i < 32; i++) {
            assertThat(take(share(500, 0))).containsExactly(0);
        }
        assertThat(refused(share(500, 0)).text()).isEqualTo("GPU_NO_DEVICE_FITS(max free MiB=384)");
    }

    @Test
    @DisplayName("AT-U4: compute is refused where memory is free")
    void countsCompute() {
        room = room(1);
        take(share(1_000, 40), share(1_000, 40));

        assertThat(refused(share(1_000, 40)).text())
                .isEqualTo("GPU_NO_DEVICE_FITS(max free MiB=14384, max free core=20)");
    }

    @Test
    @DisplayName("AT-U5: an exclusive request takes a device on which nothing is held")
    void takesWholeDevices() {
        used(0, 100, 0);

        assertThat(take(whole(1, Selector.ANY))).containsExactly(1);
        assertThat(refused(whole(1, Selector.ANY)).cause()).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
        assertThat(refused(share(1, 0), share(1, 0), share(16_384, 0)).cause()).isEqualTo(Cause.GPU_NO_DEVICE_FITS);
        assertThat(take(share(1, 1))).as("nothing beside a whole device").containsExactly(0);
    }

    private static DeviceRoom linked() {
        var links = List.of(
                Map.of("GPU-1", DeviceLink.NVLINK),
                Map.of("GPU-0", DeviceLink.NVLINK),
                Map.of("GPU-3", DeviceLink.NVLINK),
                Map.of("GPU-2", DeviceLink.NVLINK));
        return DeviceRoom.of(
                new NodeDevices(
                        GpuMode.SHARED,
                        IntStream.range(0, 4)
                                .mapToObj(minor -> new Device(
                                        "GPU-" + minor,
                                        minor,
                                        "V100",
                                        MIB,
                                        Device.WHOLE_CORE,
                                        true,
                                        Optional.of(minor / 2),
                                        links.get(minor)))
                                .toList()),
                FixedAmounts.NONE);
    }

    @Test
    @DisplayName("AT-U6: devices of one request are close together")
    void prefersCloseDevices() {
        room = linked();
        used(0, MIB, Device.WHOLE_CORE);
        var two = whole(2, Selector.ANY);
        assertThat(((DeviceSelection.Chosen) DeviceSelection.select(room, List.of(two), false)).shares())
                .extracting(GpuShare::minor)
                .containsExactly(2, 3);

        used(2, MIB, Device.WHOLE_CORE);
        assertThat(refused(whole(2, Selector.ANY.within(GpuScope.NVLINK, true))).text())
                .isEqualTo("GPU_SCOPE(required NVLINK)");
        assertThat(take(whole(2, Selector.ANY.within(GpuScope.NVLINK, false)))).containsExactly(1, 3);
    }

    @Test
    void packsOrSpreads() {
        used(0, 8_192, 0);
        var spread = new Selector(List.of(), List.of(), GpuScope.NODE, false, true);

        assertThat(take(share(4_096, 0))).containsExactly(0);
        assertThat(take(request(1, Amounts.share(4_096, 0), spread))).containsExactly(1);
    }

    @Test
    void namesWhyThereIsNone() {
        assertThat(refused(request(
                                1,
                                Amounts.share(1, 0),
                                new Selector(List.of("A100"), List.of(), GpuScope.NODE, false, false)))
                        .text())
                .isEqualTo("GPU_MODEL(Tesla T4)");
        assertThat(refused(request(
                                1,
                                Amounts.share(1, 0),
                                new Selector(List.of(), List.of("t4"), GpuScope.NODE, false, false)))
                        .cause())
                .isEqualTo(Cause.GPU_MODEL);
        assertThat(refused(whole(3, Selector.ANY)).text())
                .isEqualTo("GPU_NO_DEVICE_FITS(max free MiB=16384, idle devices=2)");

        var ill = new Device("GPU-0", 0, "T4", MIB, 100, false, Optional.empty(), Map.of());
        room = DeviceRoom.of(new NodeDevices(GpuMode.SHARED, List.of(ill)), FixedAmounts.NONE);
        assertThat(refused(share(1, 0)).text()).isEqualTo("GPU_UNHEALTHY(devices=1)");
    }

    @Test
    void leavesNodesToTheirAllocator() {
        for (var mode : List.of(GpuMode.WHOLE, GpuMode.DRA)) {
            room = DeviceRoom.of(new NodeDevices(mode, List.of()), FixedAmounts.NONE);
            assertThat(DeviceSelection.select(room, List.of(share(1, 0)), true))
                    .isInstanceOfSatisfying(
                            DeviceSelection.Refused.class,
                            refused -> assertThat(refused.misfit().cause()).isEqualTo(Cause.GPU_NODE_MODE));
        }
        room = DeviceRoom.of(new NodeDevices(GpuMode.WHOLE, List.of()), FixedAmounts.NONE);
        assertThat(take(whole(2, Selector.ANY))).as("the kubelet chooses").isEmpty();
    }

    /** More sets than are compared: the set is grown, and is as close and as full as one that was compared. */
    @Test
    void growsLargeSets() {
        room = room(20);
        used(7, 100, 0);

        assertThat(take(request(8, Amounts.share(1_000, 0), Selector.ANY)))
                .hasSize(8)
                .contains(7)
                .doesNotHaveDuplicates();
    }

    /** Any choice has room on each device, and none is refused that fits on some device. */
    @Test
    void choosesOnlyWhatFits() {
        var random = new Random(20_261_126);
        for (int i = 0; i < 2_000; i++) {
            room = room(1 + random.nextInt(4));
            for (int at = 0; at < room.count(); at++) {
                used(at, random.nextInt(MIB), random.nextInt(100));
            }
            var request = share(1 + random.nextInt(MIB), random.nextInt(101));
            boolean fits = IntStream.range(0, room.count())
                    .anyMatch(at -> room.freeMiB(at) >= request.each().memoryMiB()
                            && room.freeCore(at) >= request.each().core());
            switch (DeviceSelection.select(room, List.of(request), false)) {
                case DeviceSelection.Chosen chosen -> {
                    var after = room.taking(chosen.shares());
                    assertThat(IntStream.range(0, after.count()))
                            .allMatch(at -> after.freeMiB(at) >= 0 && after.freeCore(at) >= 0);
                    assertThat(fits).isTrue();
                }
                case DeviceSelection.Refused refused ->
                    assertThat(fits).as(refused.misfit().text()).isFalse();
            }
        }
    }

    @Test
    void readsTheNamesOfAllFamilies() {
        assertThat(read("autoscaling.sluice.io/gpu-memory", 4_096, "autoscaling.sluice.io/gpu-core", 50))
                .isEqualTo(share("autoscaling.sluice.io", 1, 4_096, 50));
        assertThat(read("alnair/vgpu-memory", 2, "alnair/vgpu-compute", 50)).isEqualTo(share("alnair", 1, 2_048, 50));
        assertThat(read("volcano.sh/vgpu-memory", 3_000, "volcano.sh/vgpu-number", 2))
                .isEqualTo(share("volcano.sh", 2, 3_000, 0));
        assertThat(read("koordinator.sh/gpu-memory", 8L << 30, "koordinator.sh/gpu.shared", 2))
                .isEqualTo(share("koordinator.sh", 2, 4_096, 0));
        assertThat(read("koordinator.sh/gpu-memory-ratio", 50, "koordinator.sh/gpu-core", 50))
                .isEqualTo(new GpuRequest(0, "koordinator.sh", 1, new Amounts(0, 50, 50, false), Selector.ANY));
        assertThat(read("koordinator.sh/gpu-memory-ratio", 200, "koordinator.sh/gpu-core", 200))
                .isEqualTo(new GpuRequest(0, "koordinator.sh", 2, Amounts.WHOLE, Selector.ANY));
        assertThat(read("nvidia.com/gpu", 2, "pods", 1)).isEqualTo(whole(2, Selector.ANY));
        assertThat(read("nvidia.com/gpu", 1, "nvidia.com/gpumem", 3_000)).isEqualTo(share("nvidia.com", 1, 3_000, 0));
        assertThat(read("nvidia.com/gpu", 1, "nvidia.com/gpucores", 30))
                .isEqualTo(new GpuRequest(0, "nvidia.com", 1, new Amounts(0, 100, 30, false), Selector.ANY));
        assertThat(GpuNames.read(0, Map.of("cpu", 1L), Selector.ANY)).isEmpty();
        assertThat(GpuNames.ambiguous(Map.of("nvidia.com/gpu", 1L, "alnair/vgpu-memory", 1L)))
                .contains("alnair and nvidia.com");
    }

    private static GpuRequest read(String one, long amount, String other, long otherAmount) {
        return GpuNames.read(0, Map.of(one, amount, other, otherAmount), Selector.ANY)
                .orElseThrow();
    }

    private static GpuRequest share(String family, int devices, long memoryMiB, int core) {
        return new GpuRequest(0, family, devices, Amounts.share(memoryMiB, core), Selector.ANY);
    }

    @Test
    void servesContainersOneByOne() {
        var requests = new ArrayList<GpuRequest>();
        for (int container = 0; container < 3; container++) {
            requests.add(new GpuRequest(container, "alnair", 1, Amounts.share(8_192, 0), Selector.ANY));
        }
        var chosen = (DeviceSelection.Chosen) DeviceSelection.select(room, requests, false);

        assertThat(chosen.shares())
                .extracting(GpuShare::container, GpuShare::minor)
                .containsExactly(tuple(0, 0), tuple(1, 0), tuple(2, 1));
    }
}
