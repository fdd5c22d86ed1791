package io.sluice.agent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerPod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid configs of schedulers, and what is read of the objects that lead to schedulers. */
class SchedulerConfigTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @Test
    void readsUrls() {
        assertThat(urls("http://scheduler", "https://[::1]:443/", "http://10.0.0.1:1")
                        .addresses())
                .containsExactly(
                        new SchedulerAddress(false, "scheduler", 10_299),
                        new SchedulerAddress(true, "::1", 443),
                        new SchedulerAddress(false, "10.0.0.1", 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler:10299",
                "ftp://scheduler",
                "http://scheduler/path",
                "http://scheduler?query",
                "http://user:word@scheduler",
                "http://",
                "http://scheduler:70000",
                "http://sche duler"
            })
    void namesTheKeyOfWhatIsNoUrl(String url) {
        assertThatThrownBy(() -> urls(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent.scheduler.urls");
    }

    @ParameterizedTest
    @CsvSource({"PODS, schedulerName", "SERVICE, service", "URLS, urls"})
    void requiresTheKeyThatNamesWhatToLookFor(SchedulerDiscovery discover, String key) {
        assertThatThrownBy(() -> config(SchedulerTransport.HTTP, discover, List.of(), "", SchedulerTls.DEFAULTS))
                .hasMessageContaining("agent.scheduler." + key);
        assertThat(config(SchedulerTransport.BUS, discover, List.of(), "", SchedulerTls.DEFAULTS))
                .isNotNull();
    }

    @Test
    void sendsNoTokenThatOthersCouldReadOnItsWay() {
        assertThatThrownBy(() -> tokenTo("http://scheduler"))
                .hasMessageContaining("agent.scheduler.tokenFile")
                .hasMessageContaining("https");
        assertThat(tokenTo("https://scheduler")).isNotNull();
        assertThat(tokenTo("http://127.0.0.1:10299")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65_536})
    void refusesWhatIsNoPort(int port) {
        var all = SchedulerConfig.DEFAULTS;
        assertThatThrownBy(() -> new SchedulerConfig(
                        all.transport(),
                        all.discover(),
                        all.urls(),
                        all.schedulerName(),
                        all.namespace(),
                        all.service(),
                        port,
                        all.requestTimeout(),
                        all.connections(),
                        all.tokenFile(),
                        all.tls()))
                .hasMessage("agent.scheduler.port=" + port + " must be a port from 1 to 65535");
    }

    @Test
    void readsPods() {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName("s-0")
                .withCreationTimestamp("2026-11-21T03:31:43Z")
                .endMetadata()
                .withNewStatus()
                .withPodIP("10.0.0.1")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        assertThat(PodSchedulers.read(pod))
                .isEqualTo(new SchedulerPod("s-0", Instant.parse("2026-11-21T03:31:43Z"), "10.0.0.1", true));
        pod.getMetadata().setDeletionTimestamp("2026-11-21T04:00:00Z");
        assertThat(PodSchedulers.read(pod).ready()).isFalse();
        pod.setStatus(null);
        pod.getMetadata().setCreationTimestamp("yesterday");
        assertThat(PodSchedulers.read(pod)).isEqualTo(new SchedulerPod("s-0", Instant.EPOCH, "", false));
    }

    @Test
    void readsTheReadyEndpointsOfAService() {
        var slice = new EndpointSliceBuilder()
                .addNewEndpoint()
                .withAddresses("10.0.0.1")
                .withNewConditions()
                .withReady(true)
                .endConditions()
                .endEndpoint()
                .addNewEndpoint()
                .withAddresses("10.0.0.2")
                .withNewConditions()
                .withReady(false)
                .endConditions()
                .endEndpoint()
                .addNewEndpoint()
                .withAddresses("10.0.0.3")
                .endEndpoint()
                .addNewPort()
                .withPort(4_000)
                .endPort()
                .build();
        assertThat(ServiceSchedulers.read(slice, SchedulerConfig.DEFAULTS))
                .containsExactly(
                        new SchedulerAddress(false, "10.0.0.1", 4_000), new SchedulerAddress(false, "10.0.0.3", 4_000));
        slice.setPorts(null);
        slice.setEndpoints(slice.getEndpoints().subList(0, 1));
        assertThat(ServiceSchedulers.read(slice, SchedulerConfig.DEFAULTS))
                .containsExactly(new SchedulerAddress(false, "10.0.0.1", 10_299));
        slice.setEndpoints(null);
        assertThat(ServiceSchedulers.read(slice, SchedulerConfig.DEFAULTS)).isEmpty();
    }

    private static SchedulerConfig tokenTo(String url) {
        return config(
                SchedulerTransport.HTTP, SchedulerDiscovery.URLS, List.of(url), "/a/token", SchedulerTls.DEFAULTS);
    }

    private static SchedulerConfig urls(String... urls) {
        return config(SchedulerTransport.HTTP, SchedulerDiscovery.URLS, List.of(urls), "", SchedulerTls.DEFAULTS);
    }

    private static SchedulerConfig config(
            SchedulerTransport transport,
            SchedulerDiscovery discover,
            List<String> urls,
            String tokenFile,
            SchedulerTls tls) {
        return new SchedulerConfig(transport, discover, urls, "", "", "", 10_299, TIMEOUT, 64, tokenFile, tls);
    }
}
