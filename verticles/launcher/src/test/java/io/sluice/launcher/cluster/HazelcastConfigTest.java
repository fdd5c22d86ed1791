package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.launcher.config.SluiceConfig;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HazelcastConfigTest {
    private static HazelcastConfig read(String keys) {
        var file = YamlText.parse("hazelcast: {" + keys + "}", "test");
        return ConfigReader.read(SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(file, Map.of(), Map.of()))
                .hazelcast();
    }

    @Test
    void aProcessWithoutSettingsIsAlone() {
        assertThat(HazelcastConfig.DEFAULTS.clustered()).isFalse();
    }

    @Test
    void aListOfAddressesIsEnoughOnOneMachine() {
        var read = read("join: tcp, addresses: [\"127.0.0.1:5701\"], ledgers: 3");

        assertThat(read.clustered()).isTrue();
        assertThat(read.reachedAt()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "join: tcp | hazelcast.addresses must name the others",
                "join: tcp, addresses: [\"host\"] | hazelcast.addresses must be written as host:port: \"host\"",
                "join: tcp, addresses: [\"host:99999\"] | hazelcast.addresses must be written as host:port",
                "join: kubernetes | hazelcast.service must name a headless service",
                "ledgers: 2 | hazelcast.ledgers must be 1, 3 or 5: 2",
                "ledgers: 7 | hazelcast.ledgers must be 1, 3 or 5: 7",
                "port: 0 | hazelcast.port must be a port from 1 to 65535: 0",
                "port: 5701, busPort: 5701 | hazelcast.busPort=5701 must differ from hazelcast.port",
                "name: ' ' | hazelcast.name must be a name, not blank",
                "busTls: {cert: c.pem, key: k.pem} | hazelcast.busTls.caFile must name a file, as TLS on the bus needs",
                "busTls: {cert: c.pem, caFile: a.pem} | hazelcast.busTls.key must name a file",
                "busTls: {caFile: a.pem} | hazelcast.busTls.cert must name a file",
                "join: multicast | hazelcast.join must be one of none, tcp, kubernetes",
                "join: tcp, addresses: [\"10.0.0.1:5701\"], host: 10.0.0.2 | set hazelcast.trustedNetwork: true",
            })
    void whatIsWrongIsRefusedByItsKey(String keys, String sentence) {
        assertThatThrownBy(() -> read(keys)).isInstanceOf(ConfigException.class).hasMessageContaining(sentence.strip());
    }

    @Test
    void otherMachinesMayJoinWhereTheNetworkIsTrusted() {
        assertThat(read("join: tcp, addresses: [\"10.0.0.1:5701\"], host: 10.0.0.2, trustedNetwork: true")
                        .host())
                .isEqualTo("10.0.0.2");
    }
}
