package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes have the newest zones that were read, whether a full list or the watch was the last to bring some. */
class ZonesReadTest {
    private final ObjectReader reader = new ObjectReader(ClusterConfig.DEFAULTS, new SimpleMeterRegistry());
    private Optional<NodeObserved> node = Optional.empty();

    private void report(long version, int zones) {
        reader.zones(Samples.json("""
            {"metadata":{"name":"n1","resourceVersion":"%d"},"zones":[%s]}\
            """.formatted(version, zones == 0 ? "" : "{\"name\":\"node-0\",\"type\":\"Node\"}")));
    }

    private int zonesOfTheNode() {
        node = reader.node(Samples.json("{\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"50\"}}"), node);
        return node.orElseThrow().devices().zones().zones().size();
    }

    @Test
    void aNodeThatHasNotChangedHasTheZonesThatWereReadSince() {
        assertThat(zonesOfTheNode()).isZero();
        report(7, 1);
        assertThat(zonesOfTheNode()).isEqualTo(1);
    }

    @Test
    void aListThatArrivesLateDoesNotReplaceWhatTheWatchBrought() {
        report(20, 1);
        report(10, 0);
        reader.keepZones(Set.of(), 10);
        assertThat(zonesOfTheNode()).isEqualTo(1);

        reader.withoutZones("n1", 21);
        report(15, 1);
        assertThat(zonesOfTheNode()).isZero();
    }

    @Test
    void aDeletionThatNoWatchBroughtIsInTheList() {
        report(20, 1);
        assertThat(zonesOfTheNode()).isEqualTo(1);
        reader.keepZones(Set.of(), 30);
        assertThat(zonesOfTheNode()).isZero();
        assertThat(node.orElseThrow().devices().zones().version())
                .as("it is newer than the report")
                .isGreaterThan(20);
        report(31, 1);
        assertThat(zonesOfTheNode()).as("made again").isEqualTo(1);
    }
}
