package io.sluice.launcher.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.clustered.ClusteredLedger;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Hazelcast's settings for a member: the addresses to bind and how to find the others. */
final class MemberSettings {
    static final String SUBSCRIPTIONS = "__vertx.subs";
    static final String NODE_INFO = "__vertx.nodeInfo";
    static final String NODE_ID = "__vertx.nodeId";
    static final String ROLES = "sluice.roles";
    static final String BUS_TLS = "sluice.bus.tls";
    private static final int BUS_BACKUPS = 2;
    private static final String LEAVE_MAX_SECONDS = "6";

    private MemberSettings() {}

    /**
     * The settings of one start.
     *
     * @param id the process's id on the bus; a new one for each start
     * @param clustered of a process with ledger state; all others are lite members
     */
    static Config of(HazelcastConfig hazelcast, String id, Set<Role> roles, Optional<ClusteredLedger> clustered) {
        var config = new Config().setClusterName(hazelcast.name());
        network(config, hazelcast);
        quiet(config);
        config.getSerializationConfig().setJavaSerializationFilterConfig(AdmittedClasses.filter());
        config.getMemberAttributeConfig().setAttribute(NODE_ID, id);
        config.getMemberAttributeConfig()
                .setAttribute(ROLES, roles.stream().map(Role::key).sorted().collect(Collectors.joining(",")));
        config.getMemberAttributeConfig()
                .setAttribute(BUS_TLS, Boolean.toString(hazelcast.busTls().areGiven()));
        config.addMultiMapConfig(new MultiMapConfig(SUBSCRIPTIONS)
                .setBackupCount(BUS_BACKUPS)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
        config.getMapConfig(NODE_INFO).setBackupCount(BUS_BACKUPS);
        ClusteredLedger.tune(config);
        config.setLiteMember(clustered.isEmpty());
        clustered.ifPresent(ledger -> ledger.configure(config));
        MemberReplica.configure(config, hazelcast.ledgers());
        return config;
    }

    /**
     * Configures an endpoint for members only. On an endpoint for every protocol, Hazelcast's output thread never rests
     * while messages wait for a connected member that does not respond, such as a suspended process; then messages to
     * all other members are delayed until these members are removed.
     */
    private static void network(Config config, HazelcastConfig hazelcast) {
        var endpoint = new ServerSocketEndpointConfig()
                .setPort(hazelcast.port())
                .setPortAutoIncrement(false)
                .setPublicAddress(hazelcast.reachedAt() + ":" + hazelcast.port());
        endpoint.getInterfaces().setEnabled(true).addInterface(hazelcast.host());
        var network = config.getAdvancedNetworkConfig().setEnabled(true).setMemberEndpointConfig(endpoint);
        join(network.getJoin(), hazelcast);
    }

    private static void join(JoinConfig join, HazelcastConfig hazelcast) {
        join.getMulticastConfig().setEnabled(false);
        join.getAutoDetectionConfig().setEnabled(false);
        switch (hazelcast.join()) {
            case NONE -> {}
            case TCP -> {
                var list = join.getTcpIpConfig().setEnabled(true);
                hazelcast.addresses().forEach(list::addMember);
            }
            case KUBERNETES -> {
                var cluster = join.getKubernetesConfig().setEnabled(true);
                if (hazelcast.namespace().isBlank()) {
                    cluster.setProperty("service-dns", hazelcast.service());
                    cluster.setProperty("service-port", Integer.toString(hazelcast.port()));
                } else {
                    cluster.setProperty("service-name", hazelcast.service());
                    cluster.setProperty("namespace", hazelcast.namespace());
                    cluster.setProperty("service-port", Integer.toString(hazelcast.port()));
                }
            }
        }
    }

    private static void quiet(Config config) {
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.setProperty("hazelcast.logging.type", "slf4j")
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0")
                .setProperty("hazelcast.graceful.shutdown.max.wait", LEAVE_MAX_SECONDS);
    }
}
