package io.sluice.gateway.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.Optional;

/**
 * Observations for tests: VM {@code x} of namespace {@code default} runs in pod {@code x-0}, whose uid is
 * {@code pod-x}.
 */
public final class PodObservations {
    public static final long GI = 1L << 30;
    public static final Resources UNIT = new Resources(250, GI);

    private PodObservations() {}

    public static PodObserved pod(String vm, String node, long version) {
        return new PodObserved("pod-" + vm, "default", vm + "-0", node, vm, version, UNIT, 0);
    }

    public static PodObserved plainPod(String name, String node) {
        return new PodObserved("pod-" + name, "default", name, node, "", 1, UNIT, 0);
    }

    public static VmObserved vm(String vm, String node, long version) {
        return new VmObserved(
                id(vm),
                version,
                node.isEmpty() ? "" : "pod-" + vm,
                vm + "-0",
                node,
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(UNIT, UNIT.times(16), UNIT, Optional.of(UNIT), GI),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }

    public static VmId id(String vm) {
        return new VmId("neonvm", "default", vm, "vm-" + vm);
    }

    public static AgentPod reservation(String vm) {
        return new AgentPod("pod-" + vm, "n1", "default/" + vm + "-0", "default/" + vm, GI, false);
    }

    public static AdmittedRequest request(String vm, long units) {
        return request(vm, units, new AgentRequest.Speaker.WithoutSession());
    }

    public static AdmittedRequest request(String vm, long units, AgentRequest.Speaker speaker) {
        return new AdmittedRequest(
                reservation(vm),
                UNIT,
                UNIT.times(units),
                Optional.of(UNIT),
                Optional.of(0.5f),
                speaker,
                false,
                Optional.empty());
    }

    /** A request for so many units, as a current agent sends it; {@code more} goes before its last brace. */
    public static String body(String vm, long units, String more) {
        return "{\"protoVersion\":7,\"pod\":{\"namespace\":\"default\",\"name\":\"" + vm + "-0\"},"
                + "\"computeUnit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},"
                + "\"resources\":{\"vCPUs\":\"" + 250 * units + "m\",\"mem\":\"" + units + "Gi\"},"
                + "\"lastPermit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"metrics\":{\"loadAvg1M\":0.42}" + more + "}";
    }
}
