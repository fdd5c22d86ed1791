package io.sluice.bench;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.cluster.Listed;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.LoadNode;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The process that {@link PermitBench} asks: a ledger and a gateway, with every default but the rate of one pod. */
final class PermitServer {
    static final int NODES = 50;
    static final int PODS_PER_NODE = 40;

    private PermitServer() {}

    private static String node(int index) {
        return "node-" + index / PODS_PER_NODE;
    }

    public static void main(String[] arguments) throws IOException {
        var config = Config.with(Map.of(
                "sluice.gateway.agent.port", "0",
                "sluice.gateway.agent.ratePerPod", "1000000",
                "sluice.gateway.agent.burstPerPod", "1000000"));
        var vertx = Vertx.vertx();
        var shell = Config.shell();
        var gateway = new GatewayVerticle(config.gateway(), shell);
        Config.done(vertx.deployVerticle(new LedgerVerticle(config.ledger(), shell)));
        Config.done(vertx.deployVerticle(gateway));
        load(new Bus(vertx));
        Child.tell(Integer.toString(gateway.agentPort()));
        Child.untilParentLeaves();
        System.exit(0);
    }

    private static void load(Bus bus) {
        for (int node = 0; node < NODES; node++) {
            List<PodSeen> pods = new ArrayList<>();
            List<VmSeen> vms = new ArrayList<>();
            for (int i = 0; i < PODS_PER_NODE; i++) {
                int index = node * PODS_PER_NODE + i;
                pods.add(new PodSeen(
                        Members.pod(index),
                        "default",
                        Members.pod(index),
                        node(index),
                        "vm-" + index,
                        1,
                        Members.UNIT,
                        1));
                vms.add(Members.vm(index, node(index)));
            }
            var seen = new NodeSeen("node-" + node, 1, Members.MOST.times(PODS_PER_NODE));
            bus.publish(ClusterAddresses.NODE_SEEN, seen);
            pods.forEach(pod -> bus.publish(ClusterAddresses.POD_SEEN, pod));
            vms.forEach(vm -> bus.publish(ClusterAddresses.VM_SEEN, vm));
            Config.done(bus.request(LedgerAddresses.LOAD_NODE, new LoadNode(seen, 1, pods, vms)));
        }
        bus.publish(ClusterAddresses.LISTED, new Listed(NODES, NODES * PODS_PER_NODE, NODES * PODS_PER_NODE));
    }
}
