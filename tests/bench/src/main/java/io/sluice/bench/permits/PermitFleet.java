package io.sluice.bench.permits;

import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The nodes and pods of the permit benchmarks: each pod requests one unit more and one less in turn. */
final class PermitFleet {
    static final int NODES = 50;
    static final int PODS_PER_NODE = 40;
    static final int PODS = NODES * PODS_PER_NODE;

    /** A listener at any port, without a rate limit for pods. */
    static final Map<String, String> OPEN_LISTENER = Map.of(
            "sluice.gateway.agent.port", "0",
            "sluice.gateway.agent.ratePerPod", "1000000",
            "sluice.gateway.agent.burstPerPod", "1000000");

    private PermitFleet() {}

    static String node(int index) {
        return "node-" + index / PODS_PER_NODE;
    }

    /** Loads the fleet into ledger and gateway. */
    static void load(Bus bus) {
        for (int node = 0; node < NODES; node++) {
            List<PodObserved> pods = new ArrayList<>();
            List<VmObserved> vms = new ArrayList<>();
            for (int i = 0; i < PODS_PER_NODE; i++) {
                int index = node * PODS_PER_NODE + i;
                pods.add(pod(index));
                vms.add(Members.vm(index, node(index)));
            }
            var observed = new NodeObserved("node-" + node, 1, Members.MOST.times(PODS_PER_NODE));
            bus.publish(ClusterAddresses.NODE_OBSERVED, observed);
            pods.forEach(pod -> bus.publish(ClusterAddresses.POD_OBSERVED, pod));
            vms.forEach(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm));
            var list = new LoadNode(observed, 1, pods, vms);
            var requested = Config.done(bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(observed)));
            Config.done(bus.request(
                    LedgerAddresses.LOAD_NODE, list.relist(requested.relist().orElseThrow())));
        }
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(NODES, PODS, PODS));
    }

    private static PodObserved pod(int index) {
        return new PodObserved(
                Members.pod(index), "default", Members.pod(index), node(index), "vm-" + index, 1, Members.UNIT, 1);
    }

    /** Two requests for each pod: for more and for less. */
    static byte[][] requests() {
        var requests = new byte[2 * PODS][];
        for (int pod = 0; pod < PODS; pod++) {
            requests[pod] = request(pod, 1, 2);
            requests[PODS + pod] = request(pod, 2, 1);
        }
        return requests;
    }

    private static byte[] request(int pod, int unitsBefore, int units) {
        var body = """
            {"protoVersion":7,"pod":{"namespace":"default","name":"%s"},"computeUnit":{"vCPUs":"250m","mem":"1Gi"},\
            "resources":%s,"lastPermit":%s,"metrics":{"loadAvg1M":0.42}}\
            """.formatted(Members.pod(pod), amount(units), amount(unitsBefore));
        var head = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static String amount(int units) {
        return "{\"vCPUs\":\"" + 250 * units + "m\",\"mem\":\"" + units + "Gi\"}";
    }
}
