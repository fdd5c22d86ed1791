package io.sluice.neonvm.core.gpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.Device;
import io.sluice.devices.DeviceLink;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuScope;
import io.sluice.devices.GpuShare;
import io.sluice.messages.vm.BindPod;
import io.sluice.neonvm.core.objects.BindingObjects;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.objects.PodReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** GPUs in labels and annotations. Those of HAMi are as its documentation and its clusters show them. */
class GpuObjectsTest {
    private static JsonNode json(String text) {
        try {
            return KubernetesJson.MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    private static JsonNode node(String allocator, Map<String, String> annotations) {
        var node = KubernetesJson.MAPPER.createObjectNode();
        var metadata = node.putObject("metadata").put("name", "n").put("resourceVersion", "3");
        metadata.putObject("labels").put("autoscaling.sluice.io/gpu-allocator", allocator);
        annotations.forEach(metadata.putObject("annotations")::put);
        return node;
    }

    private static List<Device> devices(String allocator, String key, String value) {
        return NodeReader.read(node(allocator, Map.of(key, value))).devices().devices();
    }

    private static List<GpuShare> shares(Map<String, String> annotations) {
        var pod = KubernetesJson.MAPPER.createObjectNode();
        annotations.forEach(pod.putObject("metadata").putObject("annotations")::put);
        var complaints = new ArrayList<String>();
        var shares = GpuObjects.pod(pod, complaints).shares();
        assertThat(complaints).isEmpty();
        return shares;
    }

    @Test
    @DisplayName("AT-U7: the key that Alnair's writer misspells is read")
    void readsTheMisspeltKey() {
        assertThat(devices("shared", "ai.centaurus.io/vitual-gpu-count", "16,16"))
                .extracting(Device::memoryMiB)
                .containsExactly(16_384L, 16_384L);
        var named = node(
                "shared",
                Map.of(
                        "ai.centaurus.io/virtual-gpu-count",
                        "16,8",
                        "ai.centaurus.io/physical-gpu-uuids",
                        "GPU-a,GPU-b"));
        assertThat(NodeReader.read(named).devices().devices())
                .extracting(Device::uuid, Device::memoryMiB)
                .containsExactly(tuple("GPU-a", 16_384L), tuple("GPU-b", 8_192L));
    }

    @Test
    @DisplayName("AT-U8: what Alnair gave a pod is known after a restart")
    void readsChunksOfAlnair() {
        assertThat(shares(Map.of("ai.centaurus.io/alnair-gpu-id", "GPU-a_0,GPU-a_3,GPU-b_1")))
                .extracting(GpuShare::uuid, GpuShare::memoryMiB)
                .containsExactly(tuple("GPU-a", 2_048L), tuple("GPU-b", 1_024L));
    }

    @Test
    void readsWhatHamiRegisters() {
        var registered = devices(
                "hami",
                "hami.io/node-nvidia-register",
                "[{\"id\":\"GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec\",\"count\":10,\"devmem\":32768,\"devcore\":100,"
                        + "\"type\":\"NVIDIA-Tesla V100-PCIE-32GB\",\"numa\":1,\"mode\":\"hami-core\",\"health\":true},"
                        + "{\"id\":\"GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448\",\"index\":1,\"count\":10,"
                        + "\"devmem\":32768,\"devcore\":100,\"type\":\"NVIDIA-Tesla V100-PCIE-32GB\","
                        + "\"mode\":\"hami-core\"}]");
        assertThat(registered)
                .extracting(Device::uuid, Device::minor, Device::memoryMiB, Device::healthy, Device::zone)
                .containsExactly(
                        tuple("GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec", 0, 32_768L, true, Optional.of(1)),
                        tuple("GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448", 1, 32_768L, false, Optional.of(0)));
    }

    @Test
    void readsWhatHamiRegisteredBefore() {
        assertThat(devices(
                        "hami",
                        "hami.io/node-nvidia-register",
                        "GPU-03f69c50-207a-2038-9b45-23cac89cb67d,10,46068,100,NVIDIA-NVIDIA A40,0,true:"
                                + "GPU-1afede84-4e70-2174-49af-f07ebb94d1ae,10,46068,100,NVIDIA-NVIDIA A40,0,true:"))
                .extracting(Device::minor, Device::memoryMiB, Device::model)
                .containsExactly(tuple(0, 46_068L, "NVIDIA-NVIDIA A40"), tuple(1, 46_068L, "NVIDIA-NVIDIA A40"));
        assertThat(devices(
                        "hami",
                        "hami.io/node-nvidia-register",
                        "GPU-61951b89-82be-83fe-3068-2fea68026576,10,7680,100,NVIDIA-Tesla"
                            + " P4,0,true,0,hami-core:GPU-c080157b-3ab1-179d-d6dd-483adab68726,10,8192,100,NVIDIA-Tesla"
                            + " P4,0,true,1,hami-core:"))
                .extracting(Device::minor, Device::memoryMiB)
                .containsExactly(tuple(0, 7_680L), tuple(1, 8_192L));
    }

    @Test
    void readsWhatItsOwnAgentWrites() {
        var devices = devices(
                "shared",
                "autoscaling.sluice.io/gpu-devices",
                "[{\"uuid\":\"g-0\",\"minor\":0,\"model\":\"T4\",\"memMiB\":15360,\"numa\":1,"
                        + "\"links\":{\"g-1\":\"NVLINK\"}}]");
        assertThat(devices)
                .containsExactly(new Device(
                        "g-0", 0, "T4", 15_360, 100, true, Optional.of(1), Map.of("g-1", DeviceLink.NVLINK)));
        assertThat(devices("whole", "autoscaling.sluice.io/gpu-devices", "[{}]"))
                .isEmpty();
    }

    @Test
    void writesTheBindingWithWhatTheNodesAgentReads() {
        var grant = new GpuGrant(
                GpuMode.HAMI, List.of(new GpuShare(0, 0, "GPU-a", 3_000, 30), new GpuShare(2, 1, "GPU-b", 4_096, 0)));
        var binding = json(BindingObjects.create(new BindPod("u", "ns", "p", "n1", 7, grant), 1_700_000_000L));
        var annotations = binding.path("metadata").path("annotations");

        assertThat(annotations.path("hami.io/vgpu-devices-to-allocate").asText())
                .isEqualTo("GPU-a,NVIDIA,3000,30:;;GPU-b,NVIDIA,4096,0:;");
        assertThat(annotations.path("hami.io/vgpu-devices-allocated").asText())
                .isEqualTo("GPU-a,NVIDIA,3000,30:;;GPU-b,NVIDIA,4096,0:;");
        assertThat(annotations.path("hami.io/vgpu-node").asText()).isEqualTo("n1");
        assertThat(annotations.path("hami.io/bind-phase").asText()).isEqualTo("allocating");
        assertThat(annotations.path("hami.io/bind-time").asText()).isEqualTo("1700000000");
        assertThat(annotations.path("hami.io/vgpu-time").asText()).isEqualTo("1700000000");
        assertThat(annotations.path("autoscaling.sluice.io/gpu-allocation").asText())
                .isEqualTo("{\"v\":1,\"node\":\"n1\",\"gpu\":["
                        + "{\"container\":0,\"minor\":0,\"uuid\":\"GPU-a\",\"memMiB\":3000,\"core\":30},"
                        + "{\"container\":2,\"minor\":1,\"uuid\":\"GPU-b\",\"memMiB\":4096,\"core\":0}]}");
    }

    @Test
    void readsWhatItWrote() {
        var given = List.of(new GpuShare(1, 0, "GPU-a", 3_000, 30), new GpuShare(1, 1, "GPU-b", 4_096, 0));

        assertThat(shares(GpuObjects.annotations("n1", new GpuGrant(GpuMode.SHARED, given), 0)))
                .isEqualTo(given);
        assertThat(shares(Map.of("hami.io/vgpu-devices-allocated", HamiFormat.pod(given))))
                .extracting(GpuShare::container, GpuShare::uuid, GpuShare::memoryMiB, GpuShare::core)
                .containsExactly(tuple(1, "GPU-a", 3_000L, 30), tuple(1, "GPU-b", 4_096L, 0));
    }

    @Test
    void aPodWithoutGpusHasNoAnnotations() {
        var binding = json(BindingObjects.create(new BindPod("u", "ns", "p", "n1", 7), 0));

        assertThat(binding.path("metadata").has("annotations")).isFalse();
    }

    @Test
    void readsRequestsOfContainersAndWhatTheyPrefer() {
        var pod = json("{'metadata':{'uid':'u','namespace':'ns','name':'p','resourceVersion':'1','annotations':{"
                + "'autoscaling.sluice.io/gpu-scope':'nvlink','autoscaling.sluice.io/gpu-models':'V100|A100'}},"
                + "'spec':{'containers':[{'name':'side'},{'name':'main','resources':{"
                + "'limits':{'autoscaling.sluice.io/gpu-memory':'4Ki'}}}]}}");
        var observed = PodReader.read(pod).observed();

        assertThat(observed.gpus().requests())
                .containsExactly(new GpuRequest(
                        1,
                        "autoscaling.sluice.io",
                        1,
                        GpuRequest.Amounts.share(4_096, 0),
                        new GpuRequest.Selector(List.of("V100", "A100"), List.of(), GpuScope.NVLINK, false, false)));
        assertThat(observed.fixed().byKind()).containsOnlyKeys("pods");
    }

    @Test
    void namesContainersWithSeveralFamilies() {
        var pod = json("{'metadata':{'uid':'u','namespace':'ns','name':'p','resourceVersion':'1'},"
                + "'spec':{'containers':[{'name':'main','resources':{"
                + "'requests':{'nvidia.com/gpu':'1','alnair/vgpu-memory':'2'}}}]}}");

        assertThat(PodReader.read(pod).observed().gpus().ambiguous()).isEqualTo("main: alnair and nvidia.com");
    }

    @Test
    void aPodWithAnUnreadableAnnotationIsReadAllTheSame() {
        var pod = json("{'metadata':{'annotations':{'autoscaling.sluice.io/gpu-allocation':'no'}}}");
        var complaints = new ArrayList<String>();

        assertThat(GpuObjects.pod(pod, complaints).shares()).isEmpty();
        assertThat(complaints).singleElement().asString().contains("gpu-allocation");
    }
}
