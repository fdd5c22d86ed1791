package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeLabelMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObjectReader reader =
            new ObjectReader(ConfigTest.labelled("zone=topology.kubernetes.io/zone", "pool=pool"), meters);

    private static void read(ObjectReader reader, String node, long version, String labels) {
        reader.node(Samples.json("""
            {"metadata":{"name":"%s","resourceVersion":"%d","labels":{%s}}}\
            """.formatted(node, version, labels)), Optional.empty());
    }

    private Stream<Tags> series() {
        return meters.find("sluice.cluster.node.labels").meters().stream()
                .map(Meter::getId)
                .map(id -> Tags.of(id.getTags()));
    }

    @Test
    void aNodeHasItsLabelsThatTheConfigNames() {
        read(reader, "n1", 1, "\"topology.kubernetes.io/zone\":\"eu-1\",\"other\":\"x\"");
        assertThat(series()).containsExactly(Tags.of("node", "n1", "zone", "eu-1", "pool", ""));
        assertThat(meters.get("sluice.cluster.node.labels").gauge().value()).isEqualTo(1);
    }

    @Test
    void aLabelThatChangesReplacesTheSeries() {
        read(reader, "n1", 1, "\"pool\":\"a\"");
        read(reader, "n1", 2, "\"pool\":\"b\"");
        assertThat(series()).containsExactly(Tags.of("node", "n1", "zone", "", "pool", "b"));
    }

    @Test
    void theSeriesGoesWithTheNode() {
        read(reader, "n1", 1, "");
        read(reader, "n2", 2, "");
        read(reader, "n3", 3, "");
        reader.nodeGone("n1");
        assertThat(series()).hasSize(2);
        reader.keepOnly(List.of(), List.of(new NodeObserved("n3", 3, new Resources(1, 1))));
        assertThat(series()).containsExactly(Tags.of("node", "n3", "zone", "", "pool", ""));
    }

    @Test
    void moreNodesThanCanBeShownHaveNone() {
        for (int node = 0; node < 5_001; node++) {
            read(reader, "n" + node, node + 1, "");
        }
        assertThat(series()).hasSize(5_000);
    }

    @Test
    void withoutTheKeyThereIsNoSeries() {
        read(new ObjectReader(ClusterConfig.DEFAULTS, meters), "n1", 1, "\"pool\":\"a\"");
        assertThat(series()).isEmpty();
    }
}
