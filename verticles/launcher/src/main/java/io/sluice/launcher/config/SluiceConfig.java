package io.sluice.launcher.config;

import io.sluice.agent.AgentConfig;
import io.sluice.billing.BillingConfig;
import io.sluice.gateway.GatewayConfig;
import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.launcher.core.Role;
import io.sluice.launcher.core.Roles;
import io.sluice.ledger.LedgerConfig;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.lease.LeaseConfig;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.placement.PlacementConfig;
import io.sluice.pods.core.PodsConfig;
import io.sluice.pressure.PressureConfig;
import io.sluice.shell.config.Durations;
import io.sluice.workers.WorkersConfig;
import java.util.List;
import java.util.Set;

/**
 * The whole config of a process except the lab's section: a process without the lab never loads its classes.
 *
 * @param roles the names of the roles that the process runs; {@code all} means every role but lab, workers, pods and
 *     node-agent
 * @param hazelcast how processes find each other and work together
 * @param kubernetes how the API server is reached
 * @param lease the Lease that decides which of several installations serves a Kubernetes cluster
 * @param cluster which VMs are scaled, and the ports of their metrics and monitors
 * @param vm what is written to VM objects and their pods beside sizes
 * @param ledger how the ledger grants the room of nodes
 * @param pressure which VMs leave full nodes, and how fast
 * @param placement which node a new pod should go to
 * @param agent how VMs are scaled
 * @param monitor how sessions with monitors are kept
 * @param billing which use is billed, and where it is sent
 * @param workers machines that register themselves
 * @param pods how pods are resized in place
 * @param gateway the listeners of the process
 * @param demo how a demo ends
 */
public record SluiceConfig(
        List<String> roles,
        HazelcastConfig hazelcast,
        KubernetesConfig kubernetes,
        LeaseConfig lease,
        ClusterConfig cluster,
        VmConfig vm,
        LedgerConfig ledger,
        PressureConfig pressure,
        PlacementConfig placement,
        AgentConfig agent,
        MonitorConfig monitor,
        BillingConfig billing,
        WorkersConfig workers,
        PodsConfig pods,
        GatewayConfig gateway,
        DemoConfig demo) {
    /** All roles, in a pod of the Kubernetes cluster that is served. */
    public static final SluiceConfig DEFAULTS = new SluiceConfig(
            List.of(Roles.ALL),
            HazelcastConfig.DEFAULTS,
            KubernetesConfig.DEFAULTS,
            LeaseConfig.DEFAULTS,
            ClusterConfig.DEFAULTS,
            VmConfig.DEFAULTS,
            LedgerConfig.DEFAULTS,
            PressureConfig.DEFAULTS,
            PlacementConfig.DEFAULTS,
            AgentConfig.DEFAULTS,
            MonitorConfig.DEFAULTS,
            BillingConfig.DEFAULTS,
            WorkersConfig.DEFAULTS,
            PodsConfig.DEFAULTS,
            GatewayConfig.DEFAULTS,
            DemoConfig.DEFAULTS);

    public SluiceConfig {
        roles = List.copyOf(roles);
        Roles.of(roles);
        if (agent.permitValidFor().compareTo(ledger.permitValidFor()) > 0) {
            throw new IllegalArgumentException("agent.permitValidFor=" + Durations.text(agent.permitValidFor())
                    + " must not exceed ledger.permitValidFor=" + Durations.text(ledger.permitValidFor()));
        }
        var set = Roles.of(roles);
        if (placement.readsScheduling()
                && set.contains(Role.PLACEMENT)
                && !set.containsAll(Set.of(Role.CLUSTER, Role.VM))) {
            throw new IllegalArgumentException((placement.schedules()
                            ? "placement.schedulerName=" + placement.schedulerName()
                            : placement.preemption() ? "placement.preemption=true" : "placement.gangs.enabled=true")
                    + " needs the roles cluster and vm in the process with the role placement");
        }
        if (pods.withdrawAfter().compareTo(ledger.permitValidFor()) <= 0) {
            throw new IllegalArgumentException("pods.withdrawAfter=" + Durations.text(pods.withdrawAfter())
                    + " must exceed ledger.permitValidFor=" + Durations.text(ledger.permitValidFor()));
        }
        if (set.contains(Role.NODE_AGENT) && pods.nodeAgent().node().isBlank()) {
            throw new IllegalArgumentException(
                    "pods.nodeAgent.node must be the name of the node of this process, which has the role node-agent");
        }
        if (cluster.reclaimAfter().compareTo(ledger.permitValidFor()) <= 0) {
            throw new IllegalArgumentException("cluster.reclaimAfter=" + Durations.text(cluster.reclaimAfter())
                    + " must exceed ledger.permitValidFor=" + Durations.text(ledger.permitValidFor()));
        }
    }

    /** The roles of the names. */
    public Set<Role> roleSet() {
        return Roles.of(roles);
    }

    /** The same with other listeners and another section {@code billing}. */
    public SluiceConfig with(GatewayConfig otherListeners, BillingConfig otherBilling) {
        return new SluiceConfig(
                roles,
                hazelcast,
                kubernetes,
                lease,
                cluster,
                vm,
                ledger,
                pressure,
                placement,
                agent,
                monitor,
                otherBilling,
                workers,
                pods,
                otherListeners,
                demo);
    }
}
