package io.sluice.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.GpuRequest.Amounts;
import io.sluice.devices.GpuRequest.Selector;
import io.sluice.units.FixedAmounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** GPUs that Sluice chooses are in a NUMA zone with room for the rest of the pod. */
class DevicesInZonesTest {
    private static final int MIB = 16_384;
    private static final FixedAmounts TWO_CPUS = cpus(2);

    private NodeZones.Policy policy = NodeZones.Policy.SINGLE_ZONE;
    private boolean byPod;
    private GpuMode mode = GpuMode.SHARED;
    private long[] freeCpus = {4, 4};
    private long reservedCpus;

    private static FixedAmounts cpus(long cpus) {
        return FixedAmounts.of(Map.of("cpu", 1_000 * cpus));
    }

    /** @param zones of each device; below zero where none is known */
    private DeviceSelection.Selection select(List<Integer> zones, ZoneRequest pod, GpuRequest... requests) {
        var devices = IntStream.range(0, zones.size())
                .mapToObj(minor -> new Device(
                        "GPU-" + minor,
                        minor,
                        "T4",
                        MIB,
                        Device.WHOLE_CORE,
                        true,
                        Optional.of(zones.get(minor)).filter(zone -> zone >= 0),
                        Map.of()))
                .toList();
        var known = new NodeZones(
                policy,
                byPod,
                8,
                1,
                "",
                IntStream.range(0, freeCpus.length)
                        .mapToObj(zone -> new Zone(zone, cpus(freeCpus[zone])))
                        .toList());
        var reserved = new HashMap<String, Long>();
        IntStream.range(0, freeCpus.length).forEach(zone -> reserved.put(Zone.kind(zone, "cpu"), 1_000 * reservedCpus));
        var node = new NodeDevices(mode, devices, known);
        var taken = FixedAmounts.of(reserved);
        return DevicesInZones.select(
                DeviceRoom.of(node, taken), node.totals().plus(known.available()), taken, List.of(requests), pod);
    }

    private static List<Integer> chosen(DeviceSelection.Selection selection) {
        return ((DeviceSelection.Chosen) selection)
                .shares().stream().map(GpuShare::minor).toList();
    }

    private static String refused(DeviceSelection.Selection selection) {
        return ((DeviceSelection.Refused) selection).misfit().text();
    }

    private static ZoneRequest pod(FixedAmounts... containers) {
        return new ZoneRequest(List.of(containers), List.of());
    }

    private static GpuRequest gpus(int container, int devices) {
        return new GpuRequest(container, "alnair", devices, Amounts.share(1_024, 0), Selector.ANY);
    }

    @Test
    @DisplayName("N5: of two zones with GPUs that with room for the CPU gives them")
    void choosesInTheZoneWithRoom() {
        freeCpus = new long[] {1, 4};
        assertThat(chosen(select(List.of(0, 1), pod(TWO_CPUS), gpus(0, 1)))).containsExactly(1);
        assertThat(chosen(select(List.of(0, 1), pod(cpus(1)), gpus(0, 1))))
                .as("what would be chosen anyway")
                .containsExactly(0);
    }

    @Test
    @DisplayName("N5: only zones that own enough devices count")
    void countsDevicesOfEachZone() {
        assertThat(chosen(select(List.of(0, 1, 1), pod(TWO_CPUS), gpus(0, 2)))).containsExactly(1, 2);
        freeCpus = new long[] {4, 1};
        assertThat(refused(select(List.of(0, 1, 1), pod(TWO_CPUS), gpus(0, 2))))
                .isEqualTo("NUMA_NO_ZONE(zones with room=[0], with GPUs=[1])");
        policy = NodeZones.Policy.RESTRICTED;
        assertThat(chosen(select(List.of(0, 1, 1), pod(cpus(5)), gpus(0, 2))))
                .as("a set of both zones")
                .hasSize(2);
    }

    @Test
    void aZoneMayBeFreeWhereOthersMayNotBeIt() {
        freeCpus = new long[] {4, 3};
        reservedCpus = 2;
        assertThat(refused(select(List.of(1), pod(TWO_CPUS), gpus(0, 1))))
                .isEqualTo("NUMA_PESSIMISTIC(zones with room=[0], with GPUs=[1])");
    }

    @Test
    void eachContainerHasItsGpusInItsZone() {
        freeCpus = new long[] {2, 2};
        var pod = pod(FixedAmounts.NONE, TWO_CPUS, TWO_CPUS);
        assertThat(chosen(select(List.of(1, 0), pod, gpus(1, 1), gpus(2, 1), gpus(3, 1))))
                .as("the last one is not aligned")
                .startsWith(0, 1)
                .hasSize(3);
        assertThat(refused(select(List.of(1, 1), pod, gpus(1, 1), gpus(2, 1))))
                .as("both containers need zone 1")
                .startsWith("NUMA_NO_ZONE");
        byPod = true;
        freeCpus = new long[] {2, 4};
        assertThat(chosen(select(List.of(0, 1), pod, gpus(0, 1))))
                .as("as a whole")
                .containsExactly(1);
    }

    @Test
    void nothingIsLimitedWhereZonesDoNotCount() {
        freeCpus = new long[] {1, 4};
        assertThat(chosen(select(List.of(0), pod(), gpus(0, 1)))).as("no CPU").containsExactly(0);
        assertThat(chosen(select(List.of(-1), pod(TWO_CPUS), gpus(0, 1))))
                .as("no zone of the device is known")
                .containsExactly(0);
        mode = GpuMode.HAMI;
        assertThat(chosen(select(List.of(0), pod(TWO_CPUS), gpus(0, 1)))).containsExactly(0);
        mode = GpuMode.SHARED;
        policy = NodeZones.Policy.BEST_EFFORT;
        assertThat(chosen(select(List.of(0), pod(TWO_CPUS), gpus(0, 1)))).containsExactly(0);
    }

    @Test
    void otherReasonsComeFirst() {
        assertThat(refused(select(List.of(0), pod(TWO_CPUS), gpus(0, 2)))).startsWith("GPU_NO_DEVICE_FITS");
        assertThat(chosen(select(List.of(0), pod(cpus(9)), gpus(0, 1))))
                .as("no zone at all: what aligns says so")
                .containsExactly(0);
    }
}
