package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReloadTest {
    private static final SortedMap<String, String> IN_FORCE = new TreeMap<>(Map.of(
            "ledger.watermark", "0.9",
            "pressure.paused", "false",
            "agent.scrapePeriod", "5s",
            "gateway.agent.tokenFile", "/run/a"));

    @Test
    void theSameConfigChangesNothing() {
        assertThat(ConfigReload.of(IN_FORCE, new TreeMap<>(IN_FORCE))).isEqualTo(new ConfigReload.Nothing());
    }

    @Test
    void liveKeysAreTakenEachWithItsOldAndNewValue() {
        assertThat(ConfigReload.of(IN_FORCE, with("ledger.watermark", "0.8", "pressure.paused", "true")))
                .isEqualTo(new ConfigReload.Taken(List.of(
                        new ConfigReload.Change("ledger.watermark", "0.9", "0.8"),
                        new ConfigReload.Change("pressure.paused", "false", "true"))));
    }

    @Test
    void oneKeyThatNeedsANewStartKeepsBackAllOthers() {
        assertThat(ConfigReload.of(IN_FORCE, with("ledger.watermark", "0.8", "agent.scrapePeriod", "6s")))
                .isEqualTo(
                        new ConfigReload.Refused(List.of(new ConfigReload.Change("agent.scrapePeriod", "5s", "6s"))));
    }

    @Test
    void aKeyThatCameOrWentIsAChangeToo() {
        var without = new TreeMap<>(IN_FORCE);
        without.remove("agent.scrapePeriod");

        assertThat(ConfigReload.of(IN_FORCE, without))
                .isEqualTo(new ConfigReload.Refused(List.of(new ConfigReload.Change("agent.scrapePeriod", "5s", ""))));
    }

    @ParameterizedTest
    @CsvSource({
        "ledger.watermark, true",
        "ledger.checkInvariants, true",
        "ledger.permitValidFor, false",
        "pressure.maxConcurrent, true",
        "placement.scorePeak, true",
        "placement.schedulerName, false",
        "gateway.console.tls.cert, true",
        "gateway.agent.tokenFile, true",
        "gateway.agent.port, false",
        "kubernetes.tokenFile, false",
        "roles, false"
    })
    void reportsWhichKeysAreLive(String key, boolean live) {
        assertThat(ConfigReload.isLive(key)).isEqualTo(live);
    }

    private static SortedMap<String, String> with(String key, String value, String other, String otherValue) {
        var changed = new TreeMap<>(IN_FORCE);
        changed.put(key, value);
        changed.put(other, otherValue);
        return changed;
    }
}
