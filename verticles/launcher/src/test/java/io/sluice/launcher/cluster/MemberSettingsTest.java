package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.instance.EndpointQualifier;
import io.sluice.launcher.core.Role;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemberSettingsTest {
    private static Config of(Discovery join, String service, String namespace) {
        var hazelcast = new HazelcastConfig(
                join,
                "c",
                "127.0.0.1",
                5701,
                15_701,
                "",
                List.of("127.0.0.1:5702"),
                service,
                namespace,
                3,
                BusTlsFiles.NONE,
                false);
        return MemberSettings.of(hazelcast, "id", Set.of(Role.AGENT, Role.MONITOR), Optional.empty());
    }

    @Test
    void listensWhereItIsConfiguredAndFindsOthersInNoOtherWay() {
        var network = of(Discovery.TCP, "", "").getAdvancedNetworkConfig();

        assertThat(network.isEnabled()).isTrue();
        assertThat(network.getEndpointConfigs()).containsOnlyKeys(EndpointQualifier.MEMBER);
        var endpoint = (ServerSocketEndpointConfig) network.getEndpointConfigs().get(EndpointQualifier.MEMBER);
        assertThat(endpoint.getInterfaces().getInterfaces()).containsExactly("127.0.0.1");
        assertThat(endpoint.getPort()).isEqualTo(5701);
        assertThat(endpoint.isPortAutoIncrement()).isFalse();
        assertThat(network.getJoin().getMulticastConfig().isEnabled()).isFalse();
        assertThat(network.getJoin().getAutoDetectionConfig().isEnabled()).isFalse();
        assertThat(network.getJoin().getTcpIpConfig().getMembers()).containsExactly("127.0.0.1:5702");
        assertThat(network.getJoin().getKubernetesConfig().isEnabled()).isFalse();
    }

    @Test
    void reportsNothingOutsideAndStopsOnRequest() {
        var config = of(Discovery.TCP, "", "");

        assertThat(config.getProperty("hazelcast.phone.home.enabled")).isEqualTo("false");
        assertThat(config.getProperty("hazelcast.socket.bind.any")).isEqualTo("false");
        assertThat(config.getProperty("hazelcast.shutdownhook.enabled")).isEqualTo("false");
        assertThat(config.getJetConfig().isEnabled()).isFalse();
    }

    @Test
    void aLiteMemberHasNoLedgerDataAndReportsItsRoles() {
        var config = of(Discovery.TCP, "", "");

        assertThat(config.isLiteMember()).isTrue();
        assertThat(config.getMemberAttributeConfig().getAttribute(MemberSettings.ROLES))
                .isEqualTo("agent,monitor");
    }

    @Test
    void kubernetesIsQueriedByNameOrByItsApi() {
        var byName = of(Discovery.KUBERNETES, "members.sluice.svc.cluster.local", "")
                .getAdvancedNetworkConfig()
                .getJoin()
                .getKubernetesConfig();
        var byApi = of(Discovery.KUBERNETES, "members", "sluice")
                .getAdvancedNetworkConfig()
                .getJoin()
                .getKubernetesConfig();

        assertThat(byName.isEnabled()).isTrue();
        assertThat(byName.getProperties())
                .containsEntry("service-dns", "members.sluice.svc.cluster.local")
                .doesNotContainKey("namespace");
        assertThat(byApi.getProperties())
                .containsEntry("service-name", "members")
                .containsEntry("namespace", "sluice");
    }
}
