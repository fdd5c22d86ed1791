package io.sluice.gateway.core.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.PlacementDecision.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodWhyTest {
    private static final Instant START = Instant.parse("2026-11-25T08:00:00Z");
    private static final String SHORT = "0/2 nodes: 2 short of CPU by 2 or more in the ledger";

    private final FleetModel model = new FleetModel();

    private void decided(Kind kind, String namespace, String node, String reason, long second) {
        model.received(
                new PlacementDecision(kind, "u-" + namespace, namespace, "db-0", node, reason),
                START.plusSeconds(second));
    }

    private String why(String name, long second) {
        return model.whyPod(name, Optional.empty(), START.plusSeconds(second)) instanceof Why.Known known
                ? known.sentence()
                : "";
    }

    @Test
    void explainsWhyAPodWaitsAndWhereItWasBound() {
        decided(Kind.WAITS, "ns", "", SHORT, 0);
        assertThat(why("db-0", 30)).isEqualTo("it waits for 30 s: " + SHORT);

        decided(Kind.NOT_PLACED, "ns", "n1", "the Binding was answered 403", 60);
        assertThat(why("ns/db-0", 70)).isEqualTo("it was not bound to node n1 10 s ago: the Binding was answered 403");

        decided(Kind.PLACED, "ns", "n2", "", 80);
        assertThat(why("db-0", 81)).isEqualTo("it was bound to node n2 1 s ago");
        decided(Kind.ARRIVED, "ns", "n2", "it counts at 2 CPU", 85);
        assertThat(why("db-0", 86)).isEqualTo("it arrived on node n2 1 s ago without a hold: it counts at 2 CPU");
        assertThat(model.whyPod("db-0", Optional.of(START.plusSeconds(10)), START.plusSeconds(90)))
                .isInstanceOfSatisfying(
                        Why.Known.class,
                        known -> assertThat(known.sentence()).isEqualTo("it waits for 10 s: " + SHORT));
    }

    @Test
    void explainsInOneSentenceWhyAPodWaits() {
        var created = START.plusSeconds(10);
        assertThat(model.whyPending("ns/db-0", created, created)).isEqualTo("no attempt to place it was reported yet");

        decided(Kind.PLACED, "ns", "n1", "", 0);
        assertThat(model.whyPending("ns/db-0", created, created))
                .as("that was another pod of its name")
                .isEqualTo("no attempt to place it was reported yet");

        decided(Kind.WAITS, "ns", "", SHORT, 12);
        assertThat(model.whyPending("ns/db-0", created, START.plusSeconds(15))).isEqualTo("it waits for 3 s: " + SHORT);
    }

    @Test
    void findsAllPodsThatANameMayMean() {
        decided(Kind.WAITS, "a", "", SHORT, 0);
        decided(Kind.WAITS, "b", "", SHORT, 0);

        assertThat(model.whyPod("db-0", Optional.empty(), START))
                .isEqualTo(new Why.Ambiguous(List.of("a/db-0", "b/db-0")));
        assertThat(model.whyPod("other", Optional.empty(), START)).isEqualTo(new Why.Unknown());
    }
}
