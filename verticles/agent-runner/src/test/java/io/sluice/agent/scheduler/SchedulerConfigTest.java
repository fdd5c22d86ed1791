package io.sluice.agent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerPod;
import java.io.IOException;
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
    void readsPods() throws IOException {
        assertThat(PodSchedulers.read(json("""
            {"metadata": {"name": "s-0", "creationTimestamp": "2026-11-21T03:31:43Z"},
             "status": {"podIP": "10.0.0.1", "conditions": [{"type": "Ready", "status": "True"}]}}\
            """)))
                .isEqualTo(new SchedulerPod("s-0", Instant.parse("2026-11-21T03:31:43Z"), "10.0.0.1", true));
        assertThat(PodSchedulers.read(json("""
            {"metadata": {"name": "s-0", "creationTimestamp": "2026-11-21T03:31:43Z",
                          "deletionTimestamp": "2026-11-21T04:00:00Z"},
             "status": {"podIP": "10.0.0.1", "conditions": [{"type": "Ready", "status": "True"}]}}\
            """)).ready()).isFalse();
        assertThat(PodSchedulers.read(json("""
            {"metadata": {"name": "s-0", "creationTimestamp": "2026-11-21T03:31:43Z"},
             "status": {"podIP": "10.0.0.1", "conditions": [{"type": "Ready", "status": "False"}]}}\
            """)).ready()).isFalse();
        assertThat(PodSchedulers.read(json("""
            {"metadata": {"name": "s-0", "creationTimestamp": "yesterday"}}\
            """))).isEqualTo(new SchedulerPod("s-0", Instant.EPOCH, "", false));
        assertThat(PodSchedulers.read(json("""
            {"metadata": {"name": "s-0"}, "status": {"podIP": null, "conditions": null}}\
            """))).isEqualTo(new SchedulerPod("s-0", Instant.EPOCH, "", false));
    }

    @Test
    void readsTheReadyEndpointsOfAService() throws IOException {
        assertThat(ServiceSchedulers.read(json("""
            {"endpoints": [{"addresses": ["10.0.0.1"], "conditions": {"ready": true}},
                           {"addresses": ["10.0.0.2"], "conditions": {"ready": false}},
                           {"addresses": ["10.0.0.3"]},
                           {"addresses": ["10.0.0.4"], "conditions": {"ready": null}},
                           {"addresses": null}],
             "ports": [{"name": "http", "port": 4000}]}\
            """), SchedulerConfig.DEFAULTS))
                .containsExactly(
                        new SchedulerAddress(false, "10.0.0.1", 4_000),
                        new SchedulerAddress(false, "10.0.0.3", 4_000),
                        new SchedulerAddress(false, "10.0.0.4", 4_000));
        assertThat(ServiceSchedulers.read(json("""
            {"endpoints": [{"addresses": ["10.0.0.1"]}], "ports": [{"port": 1}, {"port": 2}]}\
            """), SchedulerConfig.DEFAULTS))
                .containsExactly(new SchedulerAddress(false, "10.0.0.1", 10_299));
        assertThat(ServiceSchedulers.read(json("""
            {"endpoints": [{"addresses": ["10.0.0.1"]}], "ports": [{"name": "all"}]}\
            """), SchedulerConfig.DEFAULTS))
                .containsExactly(new SchedulerAddress(false, "10.0.0.1", 10_299));
        assertThat(ServiceSchedulers.read(json("{\"endpoints\": null}"), SchedulerConfig.DEFAULTS))
                .isEmpty();
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
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
