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
 * The cluster that a recording was made in, as far as it can be told from the recording: which pods there were by what
 * was answered of them, and what else the node held by the first answer that was cut to its room (which therefore
 * proves nothing of that amount; the answers after it do).
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

    /** What a pod is, by what the reference said of it. */
    private static Kind kind(RecordedExchange exchange) {
        return switch (exchange.answer().body()) {
            case "pod not found" -> Kind.ABSENT;
            case "pod's node is unknown" -> Kind.UNSCHEDULED;
            case "pod is not associated with a VM" -> Kind.WITHOUT_VM;
            case "failed to patch VM object" -> Kind.VM_MISSING;
            default -> Kind.VM;
        };
    }

    /** What the node held beside the pods of the recording: it was never told, but a cut permit shows it. */
    private Resources others(List<RecordedExchange> exchanges) {
        var booked = new LinkedHashMap<String, Resources>();
        pods.forEach((name, kind) -> {
            if (kind == Kind.VM || kind == Kind.VM_MISSING) {
                booked.put(name, UNIT);
            }
        });
        for (var exchange : exchanges) {
            var asked = exchange.json().flatMap(json -> amount(json.path("resources")));
            var permit = exchange.answer().permit().flatMap(RecordedCluster::amount);
            if (asked.isEmpty() || permit.isEmpty() || OnPurpose.of(exchange).isPresent()) {
                continue;
            }
            booked.put(exchange.pod().orElse(""), permit.get());
            if (asked.get().exceeds(permit.get())) {
                return booked.values().stream().reduce(NODE_TOTAL, Resources::minus);
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

    /** Everything on the node, for the ledger. */
    LoadNode listing() {
        return new LoadNode(
                new NodeObserved(NODE, VERSION, NODE_TOTAL),
                VERSION,
                podFacts(),
                vmFacts().stream().filter(vm -> !vm.node().isEmpty()).toList());
    }

    List<PodObserved> podFacts() {
        var facts = new ArrayList<PodObserved>();
        facts.add(pod("others", "", others));
        pods.forEach((name, kind) -> {
            switch (kind) {
                case VM, VM_MISSING -> facts.add(pod(name, vmName(name), UNIT));
                case WITHOUT_VM -> facts.add(pod(name, "", Resources.NONE));
                case UNSCHEDULED, ABSENT -> {}
            }
        });
        return facts;
    }

    List<VmObserved> vmFacts() {
        var facts = new ArrayList<VmObserved>();
        pods.forEach((name, kind) -> {
            switch (kind) {
                case VM -> facts.add(vm(name, NODE));
                case UNSCHEDULED -> facts.add(vm(name, ""));
                case VM_MISSING, WITHOUT_VM, ABSENT -> {}
            }
        });
        return facts;
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
