package io.sluice.pods.node.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.pod.PodSampled;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: names and texts of control groups mean what the kernel and kubelets mean by them. */
class CgroupFilesTest {
    private static final String UID = "0f-1a";

    @ParameterizedTest
    @CsvSource({
        "Guaranteed, kubepods.slice/kubepods-pod0f_1a.slice, kubepods/pod0f-1a",
        "Burstable, kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0f_1a.slice,"
                + " kubepods/burstable/pod0f-1a",
        "BestEffort, kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod0f_1a.slice,"
                + " kubepods/besteffort/pod0f-1a"
    })
    void bothDriversOfAKubeletHavePlacesOfTheirOwn(String qosClass, String bySystemd, String byCgroupfs) {
        assertThat(CgroupPaths.ofPod(UID, qosClass)).containsExactly(bySystemd, byCgroupfs);
    }

    @ParameterizedTest
    @CsvSource({
        "abc, true",
        "cri-containerd-abc.scope, true",
        "crio-abc.scope, true",
        "crio-abc, true",
        "abcd, false",
        "cri-containerd-xabc.scope, false",
        "crio-conmon-abd.scope, false"
    })
    void aContainerHasTheDirectoryThatEndsWithItsId(String directory, boolean isOfIt) {
        assertThat(CgroupPaths.isOfContainer(directory, "containerd://abc")).isEqualTo(isOfIt);
    }

    @Test
    void textsAreReadAsTheKernelWritesThem() {
        assertThat(CgroupText.flat("usage_usec 12\nnr_periods 3\nodd line here\nword x\n"))
                .isEqualTo(Map.of("usage_usec", 12L, "nr_periods", 3L));
        assertThat(CgroupText.stalledMicros("""
            some avg10=1.00 avg60=0.00 avg300=0.00 total=77
            full avg10=0.00 avg60=0.00 avg300=0.00 total=5
            """)).isEqualTo(77);
        assertThat(CgroupText.stalledMicros("")).isZero();
        assertThat(CgroupText.milliCpu("25000 100000\n")).hasValue(250);
        assertThat(CgroupText.milliCpu("max 100000\n")).isEmpty();
        assertThat(CgroupText.milliCpu("5 0\n")).isEmpty();
        assertThat(CgroupText.bytes("4096\n")).hasValue(4_096);
        assertThat(CgroupText.bytes("max\n")).isEmpty();
    }

    @Test
    void whatIsWorseCountsOfMemoryEvents() {
        var before = MemoryEvents.of("low 0\nhigh 1\nmax 2\noom 0\noom_kill 0\noom_group_kill 0\n");
        assertThat(before).isEqualTo(new MemoryEvents(3, 0));
        assertThat(MemoryEvents.of("high 1\nmax 3\noom_kill 0\n").since(before))
                .contains(PodSampled.Cause.MEMORY_LIMITED);
        assertThat(MemoryEvents.of("high 1\nmax 9\noom_kill 1\n").since(before)).contains(PodSampled.Cause.OOM_KILLED);
        assertThat(MemoryEvents.of("low 5\nhigh 1\nmax 2\noom 1\n").since(before))
                .isEmpty();
        // A group that was made anew counts from 0.
        assertThat(MemoryEvents.of("max 0\n").since(before)).isEmpty();
    }

    /** What drivers of control groups round is no difference. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "250m, 1Gi, 25000 100000, 1073741824, none",
                "255m, 1Gi, 26000 100000, 1073741824, none",
                "none, none, max 100000, max, none",
                "250m, 1000000001, 25000 100000, 999997440, none",
                "250m, 1Gi, 25000 100000, none, none",
                "400m, 1Gi, 25000 100000, 1073741824, 'its control group has a CPU limit of 250m, and its status has"
                        + " 400m'",
                "400m, 1Gi, max 100000, 1073741824, 'its control group has no CPU limit, and its status has 400m'",
                "none, 1Gi, 25000 100000, 1073741824, 'its control group has a CPU limit of 250m, and its status has"
                        + " none'",
                "250m, 2Gi, 25000 100000, 1073741824,"
                        + " 'its control group has a memory limit of 1Gi, and its status has 2Gi'"
            })
    void limitsDifferByMoreThanRounding(String cpu, String memory, String cpuMax, String memoryMax, String words) {
        assertThat(LimitsDifference.of(limits(cpu, memory), Optional.of(cpuMax), Optional.ofNullable(memoryMax)))
                .isEqualTo(Optional.ofNullable(words));
    }

    private static ObjectNode limits(String cpu, String memory) {
        var limits = JsonNodeFactory.instance.objectNode();
        Optional.ofNullable(cpu).ifPresent(amount -> limits.put("cpu", amount));
        Optional.ofNullable(memory).ifPresent(amount -> limits.put("memory", amount));
        return limits;
    }

    @Test
    void aTriggerIsWrittenInMicroseconds() {
        assertThat(NodeAgentConfig.DEFAULTS.cpuTrigger()).isEqualTo("some 200000 2000000");
        assertThat(NodeAgentConfig.DEFAULTS.memoryTrigger()).isEqualTo("some 100000 2000000");
    }

    @Test
    void aWindowThatTheKernelDoesNotHaveIsRefusedByName() {
        assertThatThrownBy(() -> config(Duration.ofMillis(400), Duration.ofMillis(100)))
                .hasMessage("pods.nodeAgent.window=400ms must be 500ms to 10s");
        assertThatThrownBy(() -> config(Duration.ofSeconds(2), Duration.ofSeconds(3)))
                .hasMessage("pods.nodeAgent.cpuStalled=3s must not exceed pods.nodeAgent.window=2s");
    }

    private static NodeAgentConfig config(Duration window, Duration cpuStalled) {
        var usual = NodeAgentConfig.DEFAULTS;
        return new NodeAgentConfig(
                "n", usual.cgroupRoot(), window, cpuStalled, usual.memoryStalled(), usual.limitsDifferAfter());
    }
}
