package io.sluice.bench;

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

/** The nodes and pods that benches of permits ask for: each pod asks for one unit more and one less in turn. */
final class PermitFleet {
    static final int NODES = 50;
    static final int PODS_PER_NODE = 40;
    static final int PODS = NODES * PODS_PER_NODE;

    /** A door at any port, that lets each pod ask as often as it likes. */
    static final Map<String, String> OPEN_DOOR = Map.of(
            "sluice.gateway.agent.port", "0",
            "sluice.gateway.agent.ratePerPod", "1000000",
            "sluice.gateway.agent.burstPerPod", "1000000");

    private PermitFleet() {}

    static String node(int index) {
        return "node-" + index / PODS_PER_NODE;
    }

    /** Has ledger and gateway know all of it. */
    static void load(Bus bus) {
        for (int node = 0; node < NODES; node++) {
            List<PodObserved> pods = new ArrayList<>();
            List<VmObserved> vms = new ArrayList<>();
            for (int i = 0; i < PODS_PER_NODE; i++) {
                int index = node * PODS_PER_NODE + i;
                pods.add(pod(index));
                vms.add(Members.vm(index, node(index)));
            }
            var seen = new NodeObserved("node-" + node, 1, Members.MOST.times(PODS_PER_NODE));
            bus.publish(ClusterAddresses.NODE_SEEN, seen);
            pods.forEach(pod -> bus.publish(ClusterAddresses.POD_SEEN, pod));
            vms.forEach(vm -> bus.publish(ClusterAddresses.VM_SEEN, vm));
            var list = new LoadNode(seen, 1, pods, vms);
            var asked = Config.done(bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(seen)));
            Config.done(bus.request(
                    LedgerAddresses.LOAD_NODE, list.relist(asked.relist().orElseThrow())));
        }
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(NODES, PODS, PODS));
    }

    private static PodObserved pod(int index) {
        return new PodObserved(
                Members.pod(index), "default", Members.pod(index), node(index), "vm-" + index, 1, Members.UNIT, 1);
    }

    /** Of each pod two: for more and for less. */
    static byte[][] questions() {
        var questions = new byte[2 * PODS][];
        for (int pod = 0; pod < PODS; pod++) {
            questions[pod] = question(pod, 1, 2);
            questions[PODS + pod] = question(pod, 2, 1);
        }
        return questions;
    }

    private static byte[] question(int pod, int unitsBefore, int units) {
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
