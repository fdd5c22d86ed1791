package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.VmTraits;
import java.util.List;
import java.util.Optional;

/** Reads further properties of a VM that operators see. */
final class TraitsReader {
    private TraitsReader() {}

    static VmTraits read(JsonNode vm, List<String> complaints) {
        var status = vm.path("status");
        var bounds = VmSizeReader.specBounds(vm);
        var billedTo = vm.path("metadata").path("annotations").path(NeonVmKeys.BILLED_TO);
        var traits = new VmTraits(
                KubernetesJson.metadata(vm, "labels", NeonVmKeys.ENDPOINT_ID),
                KubernetesJson.metadata(vm, "labels", NeonVmKeys.PROJECT_ID),
                Math.max(0, status.path("restartCount").asLong(0)),
                status.path("extraNetIP").asText(""),
                bounds.min(),
                bounds.max(),
                complaints.subList(0, Math.min(complaints.size(), VmTraits.COMPLAINTS_MAX)));
        return traits.billed(
                Optional.of(billedTo).filter(JsonNode::isTextual).map(JsonNode::textValue),
                KubernetesJson.changedAtSeconds(vm));
    }
}
