package io.sluice.placement.core.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.gangs.GangRecord.Backoff;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.placement.core.rules.Cluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangReaderTest {
    private static final GangOptions OPTIONS = new GangOptions(
            Duration.ofSeconds(7),
            MatchPolicy.ONLY_WAITING,
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2)),
            10,
            1);

    private static GangSpec read(String more) {
        return GangReader.spec(
                Cluster.json("{'group':'scheduling.x-k8s.io','namespace':'ns','name':'g','minMember':3" + more + "}"),
                1,
                OPTIONS);
    }

    @Test
    void whatAGangDoesNotNameIsConfigured() {
        assertThat(read("").timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(read("").matchPolicy()).isEqualTo(MatchPolicy.ONLY_WAITING);
        assertThat(read("").minResources()).isEmpty();
    }

    @Test
    void whatAGangNamesComesFirst() {
        var spec = read(",'timeoutSeconds':20,'annotations':{'match-policy':'once-satisfied'},"
                + "'minResources':{'cpu':6500,'nvidia.com/gpu':3}");
        assertThat(spec.timeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(spec.matchPolicy()).isEqualTo(MatchPolicy.ONCE_SATISFIED);
        assertThat(spec.minResources()).isEqualTo(Map.of("cpu", 6_500L, "nvidia.com/gpu", 3L));
    }
}
