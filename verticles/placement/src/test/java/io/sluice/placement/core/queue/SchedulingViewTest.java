package io.sluice.placement.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Gone;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.ListBegun;
import io.sluice.messages.cluster.SchedulingChange.Listed;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.placement.core.queue.SchedulingView.Effect;
import io.sluice.placement.core.spec.DisruptionBudget;
import org.junit.jupiter.api.Test;

class SchedulingViewTest {
    private final SchedulingView view = new SchedulingView("own");

    private static Observed node(String name, long version, long list) {
        return new Observed(Kind.NODE, name, version, list, "{\"name\":\"" + name + "\"}");
    }

    private static Observed pod(String uid, String scheduler, String node, long version) {
        return new Observed(
                Kind.POD,
                uid,
                version,
                0,
                "{\"uid\":\"" + uid + "\",\"schedulerName\":\"" + scheduler + "\",\"nodeName\":\"" + node + "\"}");
    }

    private Effect apply(SchedulingChange change) {
        return view.apply(change);
    }

    private int nodes() {
        return view.table().all().cardinality();
    }

    @Test
    void hasDisruptionBudgetsAndThePodsOfOtherSchedulersThatWait() {
        apply(new Observed(
                Kind.DISRUPTION_BUDGET,
                "ns/db",
                1,
                0,
                "{\"namespace\":\"ns\",\"name\":\"db\",\"disruptionsAllowed\":2}"));
        assertThat(view.budgets()).extracting(DisruptionBudget::allowed).containsExactly(2);
        apply(pod("theirs", "other", "", 1));
        assertThat(view.pending("theirs")).isPresent();
        assertThat(view.waiting("theirs")).isEmpty();
        apply(pod("theirs", "other", "a", 2));
        assertThat(view.pending("theirs")).isEmpty();
        apply(new Gone(Kind.DISRUPTION_BUDGET, "ns/db", 2));
        assertThat(view.budgets()).isEmpty();
    }

    @Test
    void comesThroughOnlyWithAllObjectsOfAFullList() {
        assertThat(apply(new ListBegun(7))).isEqualTo(Effect.NONE);
        assertThat(apply(node("a", 1, 7))).isEqualTo(Effect.CHANGED);
        assertThat(apply(new Listed(7, 2))).isEqualTo(Effect.INCOMPLETE);
        assertThat(apply(new ListBegun(8))).isEqualTo(Effect.NONE);
        assertThat(apply(node("a", 1, 8))).isEqualTo(Effect.NONE);
        assertThat(apply(node("b", 1, 8))).isEqualTo(Effect.CHANGED);
        assertThat(apply(new Listed(7, 1))).as("of an older list").isEqualTo(Effect.NONE);
        assertThat(apply(new Listed(8, 2))).isEqualTo(Effect.LISTED);
        assertThat(nodes()).isEqualTo(2);
    }

    @Test
    void removesWhatAFullListLacksAndKeepsWhatAppearedMeanwhile() {
        apply(new ListBegun(1));
        apply(node("old", 1, 1));
        apply(new Listed(1, 1));
        apply(new ListBegun(2));
        apply(node("new", 5, 0));
        apply(new Listed(2, 0));
        assertThat(nodes()).isEqualTo(1);
        assertThat(view.table().name(view.table().all().nextSetBit(0))).isEqualTo("new");
    }

    @Test
    void doesNotBringBackByAFullListWhatWasDeletedMeanwhile() {
        apply(new ListBegun(1));
        apply(new Gone(Kind.NODE, "a", 9));
        apply(node("a", 5, 1));
        assertThat(apply(new Listed(1, 1))).isEqualTo(Effect.LISTED);
        assertThat(nodes()).isZero();
    }

    @Test
    void ignoresOlderObservations() {
        assertThat(apply(pod("p", "own", "", 5))).isEqualTo(Effect.CHANGED);
        assertThat(apply(pod("p", "own", "n", 6))).isEqualTo(Effect.CHANGED);
        assertThat(apply(pod("p", "own", "", 5))).isEqualTo(Effect.NONE);
        assertThat(apply(new Gone(Kind.POD, "p", 4))).isEqualTo(Effect.NONE);
        assertThat(view.waiting("p")).isEmpty();
        assertThat(view.table().pod("p")).isPresent();
        assertThat(apply(new Gone(Kind.POD, "p", 7))).isEqualTo(Effect.CHANGED);
        assertThat(view.table().pod("p")).isEmpty();
    }

    @Test
    void hasOnlyPodsOfItsSchedulerWait() {
        apply(pod("ours", "own", "", 1));
        apply(pod("others", "default-scheduler", "", 1));
        assertThat(view.waiting("ours")).isPresent();
        assertThat(view.waiting("others")).isEmpty();
    }

    @Test
    void namesFieldsThatAreNoJson() {
        assertThatThrownBy(() -> apply(new Observed(Kind.NODE, "a", 1, 0, "{")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no JSON");
    }
}
