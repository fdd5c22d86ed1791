package io.sluice.launcher;

import io.sluice.agent.AgentConfig;
import io.sluice.billing.BillingConfig;
import io.sluice.gateway.GatewayConfig;
import io.sluice.launcher.cluster.MembersConfig;
import io.sluice.launcher.core.Role;
import io.sluice.launcher.core.Roles;
import io.sluice.ledger.LedgerConfig;
import io.sluice.monitor.MonitorConfig;
import io.sluice.neonvm.ClusterConfig;
import io.sluice.neonvm.KubernetesConfig;
import io.sluice.neonvm.LeaseConfig;
import io.sluice.neonvm.VmConfig;
import io.sluice.pressure.PressureConfig;
import io.sluice.shell.config.Durations;
import java.util.List;
import java.util.Set;

/**
 * Everything that a process is told, but for the lab's section: what runs without the lab never looks at its classes.
 *
 * @param roles by name; {@code all} stands for every role but the lab
 * @param members which processes work together
 * @param kubernetes how the API server is reached
 * @param lease which of several installations serves the cluster
 * @param cluster which VMs are ours and where they answer
 * @param vm what is written to VMs beside their sizes
 * @param ledger how nodes are booked
 * @param pressure who leaves nodes that run full
 * @param agent how VMs are scaled
 * @param monitor how sessions with monitors are kept
 * @param billing what use is billed, and who is told
 * @param gateway the process's doors
 * @param demo how a demo ends
 */
public record SluiceConfig(
        List<String> roles,
        MembersConfig members,
        KubernetesConfig kubernetes,
        LeaseConfig lease,
        ClusterConfig cluster,
        VmConfig vm,
        LedgerConfig ledger,
        PressureConfig pressure,
        AgentConfig agent,
        MonitorConfig monitor,
        BillingConfig billing,
        GatewayConfig gateway,
        DemoConfig demo) {
    /** All roles, in a pod of the cluster that they serve. */
    public static final SluiceConfig DEFAULTS = new SluiceConfig(
            List.of(Roles.ALL),
            MembersConfig.DEFAULTS,
            KubernetesConfig.DEFAULTS,
            LeaseConfig.DEFAULTS,
            ClusterConfig.DEFAULTS,
            VmConfig.DEFAULTS,
            LedgerConfig.DEFAULTS,
            PressureConfig.DEFAULTS,
            AgentConfig.DEFAULTS,
            MonitorConfig.DEFAULTS,
            BillingConfig.DEFAULTS,
            GatewayConfig.DEFAULTS,
            DemoConfig.DEFAULTS);

    public SluiceConfig {
        roles = List.copyOf(roles);
        Roles.of(roles);
        if (agent.permitValidFor().compareTo(ledger.permitValidFor()) > 0) {
            throw new IllegalArgumentException("agent.permitValidFor=" + Durations.text(agent.permitValidFor())
                    + " must not exceed ledger.permitValidFor=" + Durations.text(ledger.permitValidFor()));
        }
        if (cluster.settleAfter().compareTo(ledger.permitValidFor()) <= 0) {
            throw new IllegalArgumentException("cluster.settleAfter=" + Durations.text(cluster.settleAfter())
                    + " must exceed ledger.permitValidFor=" + Durations.text(ledger.permitValidFor()));
        }
    }

    /** The roles that the names stand for. */
    Set<Role> roleSet() {
        return Roles.of(roles);
    }

    /** The same with other doors, and bills kept elsewhere. */
    SluiceConfig with(GatewayConfig otherDoors, BillingConfig otherBilling) {
        return new SluiceConfig(
                roles,
                members,
                kubernetes,
                lease,
                cluster,
                vm,
                ledger,
                pressure,
                agent,
                monitor,
                otherBilling,
                otherDoors,
                demo);
    }
}
