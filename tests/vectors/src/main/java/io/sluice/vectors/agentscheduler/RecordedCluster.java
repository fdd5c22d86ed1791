package io.sluice.vectors.agentscheduler;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Kubernetes cluster in which a recording was made, derived from the recording. The replies show which pods
 * existed. The first reply that was cut to the room of the node shows what else the node had. So this reply proves
 * nothing about that amount; the replies after it do.
 */
final class RecordedCluster {
    static final String NODE = "recorded";
    static final Resources UNIT = new Resources(250, 1L << 30);

    private static final Resources NODE_TOTAL = new Resources(1_024_000, 4L << 40);
    private static final String NAMESPACE = "default";
    private static final long VERSION = 1;

    private final Map<String, Kind> pods = new LinkedHashMap<>();
    private final Resources others;

    RecordedCluster(List<RecordedExchange> exchanges) {
        for (var exchange : exchanges) {
            exchange.pod()
                    .filter(name -> !name.isEmpty())
                    .ifPresent(name -> pods.merge(name, kind(exchange), (one, other) -> one == Kind.VM ? other : one));
        }
        others = others(exchanges);
    }

    /** The kind of a pod, by the reference's reply. */
    private static Kind kind(RecordedExchange exchange) {
        return switch (exchange.answer().body()) {
            case "pod not found" -> Kind.ABSENT;
            case "pod's node is unknown" -> Kind.UNSCHEDULED;
            case "pod is not associated with a VM" -> Kind.WITHOUT_VM;
            case "failed to patch VM object" -> Kind.VM_MISSING;
            default -> Kind.VM;
        };
    }

    /** What the node had reserved besides the pods of the recording: no line names it, but a cut permit shows it. */
    private Resources others(List<RecordedExchange> exchanges) {
        var reserved = new LinkedHashMap<String, Resources>();
        pods.forEach((name, kind) -> {
            if (kind == Kind.VM || kind == Kind.VM_MISSING) {
                reserved.put(name, UNIT);
            }
        });
        for (var exchange : exchanges) {
            var requested = exchange.json().flatMap(json -> amount(json.path("resources")));
            var permit = exchange.answer().permit().flatMap(RecordedCluster::amount);
            if (requested.isEmpty()
                    || permit.isEmpty()
                    || OnPurpose.of(exchange).isPresent()) {
                continue;
            }
            reserved.put(exchange.pod().orElse(""), permit.get());
            if (requested.get().exceeds(permit.get())) {
                return reserved.values().stream().reduce(NODE_TOTAL, Resources::minus);
            }
        }
        return Resources.NONE;
    }

    private static Optional<Resources> amount(JsonNode node) {
        try {
            return node.has("vCPUs") && node.has("mem")
                    ? Optional.of(new Resources(
                            Quantities.milliCpu(node.path("vCPUs").asText()),
                            Quantities.bytes(node.path("mem").asText())))
                    : Optional.empty();
        } catch (IllegalArgumentException noAmount) {
            return Optional.empty();
        }
    }

    /** The full list of the node, for the ledger. */
    LoadNode fullList() {
        return new LoadNode(
                new NodeObserved(NODE, VERSION, NODE_TOTAL),
                VERSION,
                podObservations(),
                vmObservations().stream().filter(vm -> !vm.node().isEmpty()).toList());
    }

    List<PodObserved> podObservations() {
        var observations = new ArrayList<PodObserved>();
        observations.add(pod("others", "", others));
        pods.forEach((name, kind) -> {
            switch (kind) {
                case VM, VM_MISSING -> observations.add(pod(name, vmName(name), UNIT));
                case WITHOUT_VM -> observations.add(pod(name, "", Resources.NONE));
                case UNSCHEDULED, ABSENT -> {}
            }
        });
        return observations;
    }

    List<VmObserved> vmObservations() {
        var observations = new ArrayList<VmObserved>();
        pods.forEach((name, kind) -> {
            switch (kind) {
                case VM -> observations.add(vm(name, NODE));
                case UNSCHEDULED -> observations.add(vm(name, ""));
                case VM_MISSING, WITHOUT_VM, ABSENT -> {}
            }
        });
        return observations;
    }

    /** The uids of the pods whose VMs run. */
    List<String> members() {
        return pods.keySet().stream()
                .filter(name -> pods.get(name) == Kind.VM)
                .map(RecordedCluster::uid)
                .toList();
    }

    private static PodObserved pod(String name, String vmName, Resources amounts) {
        return new PodObserved(uid(name), NAMESPACE, name, NODE, vmName, VERSION, amounts, 0);
    }

    private static VmObserved vm(String pod, String node) {
        return new VmObserved(
                new VmId("neonvm", NAMESPACE, vmName(pod), "vm-of-" + pod),
                VERSION,
                node.isEmpty() ? "" : uid(pod),
                pod,
                node,
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, NODE_TOTAL, UNIT, Optional.of(UNIT), UNIT.memoryBytes()),
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

    private static String uid(String pod) {
        return "uid-of-" + pod;
    }

    private static String vmName(String pod) {
        return "vm-in-" + pod;
    }

    private enum Kind {
        VM,
        VM_MISSING,
        WITHOUT_VM,
        UNSCHEDULED,
        ABSENT
    }
}
