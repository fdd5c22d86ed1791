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

/** What Hazelcast is told before its member starts: it listens where it was told, and finds others as it was told. */
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
     * @param id names the process on the bus; another one for each start
     * @param books of a process that keeps some; all others carry no data
     */
    static Config of(MembersConfig members, String id, Set<Role> roles, Optional<ClusteredLedger> books) {
        var config = new Config().setClusterName(members.name());
        network(config, members);
        quiet(config);
        config.getSerializationConfig().setJavaSerializationFilterConfig(AdmittedClasses.filter());
        config.getMemberAttributeConfig().setAttribute(NODE_ID, id);
        config.getMemberAttributeConfig()
                .setAttribute(ROLES, roles.stream().map(Role::key).sorted().collect(Collectors.joining(",")));
        config.getMemberAttributeConfig()
                .setAttribute(BUS_TLS, Boolean.toString(members.busTls().areGiven()));
        config.addMultiMapConfig(new MultiMapConfig(SUBSCRIPTIONS)
                .setBackupCount(BUS_BACKUPS)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
        config.getMapConfig(NODE_INFO).setBackupCount(BUS_BACKUPS);
        ClusteredLedger.tune(config);
        config.setLiteMember(books.isEmpty());
        books.ifPresent(ledger -> ledger.configure(config));
        return config;
    }

    /**
     * An endpoint for members and nobody else. On the one that serves every protocol, Hazelcast's thread for output
     * never rests while messages wait for a peer that was connected to and says nothing, such as a process that is
     * stopped; with it all others that it writes to are starved until they are taken for dead.
     */
    private static void network(Config config, MembersConfig members) {
        var endpoint = new ServerSocketEndpointConfig()
                .setPort(members.port())
                .setPortAutoIncrement(false)
                .setPublicAddress(members.reachedAt() + ":" + members.port());
        endpoint.getInterfaces().setEnabled(true).addInterface(members.host());
        var network = config.getAdvancedNetworkConfig().setEnabled(true).setMemberEndpointConfig(endpoint);
        join(network.getJoin(), members);
    }

    private static void join(JoinConfig join, MembersConfig members) {
        join.getMulticastConfig().setEnabled(false);
        join.getAutoDetectionConfig().setEnabled(false);
        switch (members.join()) {
            case NONE -> {}
            case TCP -> {
                var list = join.getTcpIpConfig().setEnabled(true);
                members.addresses().forEach(list::addMember);
            }
            case KUBERNETES -> {
                var cluster = join.getKubernetesConfig().setEnabled(true);
                if (members.namespace().isBlank()) {
                    cluster.setProperty("service-dns", members.service());
                    cluster.setProperty("service-port", Integer.toString(members.port()));
                } else {
                    cluster.setProperty("service-name", members.service());
                    cluster.setProperty("namespace", members.namespace());
                    cluster.setProperty("service-port", Integer.toString(members.port()));
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
