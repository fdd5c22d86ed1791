package io.sluice.lab.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.objects.PodResize;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.neonvm.core.objects.VmSizeReader;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * NeonVM's cluster-autoscaler takes the first container of a runner pod for as large as two annotations of the pod
 * show: its usage, divided by its overcommit. It leaves a pod as it is if they cannot be read. NeonVM's controller
 * derives both from the VM, which Sluice patches. So what Sluice writes has to lead to what the ledger charges, by that
 * rule.
 */
class ClusterAutoscalerTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Resources SIZE = new Resources(1_000, 4L << 30);
    private static final PatchVm PATCH = new PatchVm(
            new VmId("neonvm", "default", "db", "u1"),
            "",
            SIZE,
            new Revision(1, 1),
            "r/1",
            "r/2",
            Duration.ofSeconds(1));
    private static final Approvals.Amounts AMOUNTS =
            new Approvals.Amounts(Optional.of(new Resources(250, 1L << 30)), Optional.of(SIZE), SIZE);

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "1.5, 4", "3, 1.7"})
    void readsWhatTheLedgerChargesForTheSizeThatSluiceWrites(BigDecimal cpu, BigDecimal memory) throws Exception {
        var pod = pod(patched(vm(cpu, memory)));
        var charge = new Overcommit(milli(cpu), milli(memory)).charge(SIZE);

        assertThat(read(pod)).isEqualTo(charge);

        var resize = PodResize.of(pod, "p1", charge);
        var resized = patched(pod, ((PodResize.Patch) resize).operations());
        assertThat(requests(resized)).isEqualTo(charge);
        assertThat(read(resized)).isEqualTo(charge);
    }

    @Test
    void readsTheRequestsOfAPodWithoutThoseAnnotations() throws Exception {
        var pod = pod(vm(BigDecimal.ONE, BigDecimal.ONE));
        ((ObjectNode) pod.path("metadata")).putObject("annotations").put("vm.neon.tech/usage", "4 CPU");

        assertThat(read(pod)).isEqualTo(new Resources(100, 100 << 20));
    }

    @Test
    void findsNoAnnotationOfItsOwnInWhatSluiceWrites() throws Exception {
        var before = vm(BigDecimal.TWO, BigDecimal.TWO);
        var approved = MAPPER.readTree(VmPatches.approved("u1", AMOUNTS));

        assertThat(patched(before).path("metadata").path("annotations").propertyStream())
                .hasSize(4)
                .noneMatch(annotation -> annotation.getKey().startsWith("vm.neon.tech/"));
        assertThat(approved.path("metadata").path("annotations").propertyStream())
                .hasSize(3)
                .noneMatch(annotation -> annotation.getKey().startsWith("vm.neon.tech/"));
        assertThat(patched(before).at("/spec/overcommit")).isEqualTo(before.at("/spec/overcommit"));
    }

    private static Resources read(JsonNode pod) {
        var annotations = pod.path("metadata").path("annotations");
        try {
            var usage = MAPPER.readTree(annotations.path("vm.neon.tech/usage").asText("{}"));
            var factors =
                    MAPPER.readTree(annotations.path("vm.neon.tech/overcommit").asText("{}"));
            return new Resources(
                    divided(Quantities.milliCpu(usage.path("cpu").asText()), factors.path("cpu")),
                    divided(Quantities.bytes(usage.path("memory").asText()), factors.path("memory")));
        } catch (Exception unreadable) {
            return requests(pod);
        }
    }

    private static long divided(long amount, JsonNode factor) {
        return BigDecimal.valueOf(amount)
                .divide(new BigDecimal(factor.asText("1")), 0, RoundingMode.DOWN)
                .longValueExact();
    }

    private static Resources requests(JsonNode pod) {
        var requests = pod.at("/spec/containers/0/resources/requests");
        return new Resources(
                Quantities.milliCpu(requests.path("cpu").asText()),
                Quantities.bytes(requests.path("memory").asText()));
    }

    private static JsonNode vm(BigDecimal cpu, BigDecimal memory) throws Exception {
        return MAPPER.readTree("""
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"db","uid":"u1","annotations":{"internal.autoscaling.sluice.io/fence":"r/1"}},
             "spec":{"overcommit":{"cpu":"%s","memory":"%s"},
               "podResources":{"requests":{"cpu":"100m","memory":"100Mi"}},
               "guest":{"cpus":{"min":"250m","max":4,"use":"250m"},
                 "memorySlots":{"min":1,"max":16,"use":1},"memorySlotSize":"1Gi"}}}\
            """.formatted(cpu, memory));
    }

    /** The VM after a patch of its size. */
    private static JsonNode patched(JsonNode vm) throws Exception {
        return patched(
                vm, VmPatches.resize(PATCH, Optional.of(AMOUNTS), VmSizeReader.slot(vm), Instant.ofEpochSecond(1)));
    }

    private static JsonNode patched(JsonNode object, String operations) throws Exception {
        return Patches.json(object.deepCopy(), (ArrayNode) MAPPER.readTree(operations));
    }

    /** The VM's pod, as its controller writes it and a node runs it. */
    private static JsonNode pod(JsonNode vm) throws Exception {
        var pod = RunnerPod.of(new JsonObject(vm.toString()), "db-0", new JsonArray());
        pod.getJsonObject("metadata").put("uid", "p1");
        pod.getJsonObject("spec").put("nodeName", "n1");
        pod.put("status", new JsonObject().put("phase", "Running").put("qosClass", "Burstable"));
        return MAPPER.readTree(pod.encode());
    }

    private static long milli(BigDecimal factor) {
        return factor.movePointRight(3).longValueExact();
    }
}
