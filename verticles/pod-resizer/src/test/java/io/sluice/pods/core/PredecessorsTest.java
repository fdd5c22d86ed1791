package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.shell.pods.PodStart;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PredecessorsTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Resources SPEC = new Resources(500, 1 << 30);
    private static final Resources GOAL = new Resources(900, 1 << 30);

    private final Predecessors predecessors = new Predecessors();

    private static ScaledPod pod(String uid, String owner, String revision) {
        var pod = Pods.running("500m/1Gi", "", "Burstable");
        var metadata = pod.withObject("/metadata").put("uid", uid);
        metadata.withObject("/labels").put("controller-revision-hash", revision);
        metadata.putArray("ownerReferences").addObject().put("uid", owner).put("controller", !owner.isEmpty());
        return Pods.scaled(pod);
    }

    private void came(ScaledPod pod) {
        assertThat(predecessors.begins(pod, START)).isEmpty();
    }

    @Test
    void aSuccessorNeedsWhatItsPredecessorNeeded() {
        came(pod("a", "o", "1"));
        predecessors.needs("a", GOAL);
        predecessors.ended(pod("a", "o", "1"), START);
        predecessors.ended(pod("a", "o", "1"), START);

        assertThat(predecessors.begins(pod("b", "o", "1"), START)).contains(GOAL);
        assertThat(predecessors.begins(pod("b", "o", "1"), START)).as("once").isEmpty();
        assertThat(predecessors.begins(pod("c", "o", "1"), START))
                .as("one for one")
                .isEmpty();
    }

    @Test
    void withoutAGoalItIsTheSizeThatItHad() {
        predecessors.ended(pod("a", "o", "1"), START);
        assertThat(predecessors.begins(pod("b", "o", "1"), START)).contains(SPEC);
    }

    @Test
    void anotherTemplateOrOwnerOrTimeHasNone() {
        predecessors.ended(pod("a", "o", "1"), START);
        predecessors.ended(pod("alone", "", "1"), START);
        came(pod("b", "o", "2"));
        came(pod("c", "other", "1"));
        came(pod("d", "", "1"));
        assertThat(predecessors.begins(
                        pod("e", "o", "1"), START.plus(Predecessors.KEPT_FOR).plusMillis(1)))
                .isEmpty();
    }

    @Test
    void theAnnotationKeepsBoth() {
        var start = new PodStart(GOAL, START);
        assertThat(PodStart.of(start.text())).contains(start);
        assertThat(PodStart.of("")).isEmpty();
        assertThat(PodStart.of("{\"least\":{}}")).isEmpty();
    }
}
