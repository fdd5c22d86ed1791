package io.sluice.gateway.core.console.fleet;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.cu;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.id;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.migration;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.node;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.status;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetViewTest {
    private final FleetView fleet = new FleetView();

    @Test
    void showsAVmFromItsObservationAndItsRunner() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.ROOM, 12, "no room"), NOW);
        var shown = fleet.all(NOW).vms().getFirst();
        assertThat(shown.key()).isEqualTo("default/a");
        assertThat(shown.size()).isEqualTo(cu(10));
        assertThat(shown.shown()).contains(cu(4));
        assertThat(shown.goal()).contains(cu(11));
        assertThat(shown.permit()).contains(cu(10));
        assertThat(shown.waiting()).isEqualTo(Waiting.ROOM);
        assertThat(shown.waitingSince()).isEqualTo(NOW.minusSeconds(12));
        assertThat(shown.reason()).isEqualTo("no room");
    }

    @Test
    void keepsWhatARunnerReportedBeforeItsVmWasObserved() {
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        assertThat(fleet.all(NOW).vms()).isEmpty();
        fleet.take(vm("a", "node-c", 1), NOW);
        assertThat(fleet.all(NOW).vms().getFirst().waiting()).isEqualTo(Waiting.ROOM);
    }

    @Test
    void takesTheSizeOfTheObjectWhereTheRunnerDoesNotSpeakForIt() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.SUPERSEDED, 0, ""), NOW);
        assertThat(fleet.all(NOW).vms().getFirst().size()).isEqualTo(cu(4));
    }

    @Test
    void dropsOlderObservationsAndThoseOfTheDeleted() {
        fleet.take(vm("a", "node-b", 5), NOW);
        fleet.take(vm("a", "node-c", 4), NOW);
        assertThat(fleet.all(NOW).vms().getFirst().node()).isEqualTo("node-b");
        fleet.take(new VmGone(id("a"), 6));
        fleet.take(vm("a", "node-b", 5), NOW);
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        assertThat(fleet.all(NOW).vms()).isEmpty();
    }

    @Test
    void keepsAVmThatWasMadeAgainUnderTheNameOfTheDeletedOne() {
        var again = new VmId("neonvm", "default", "a", "uid-of-the-second");
        fleet.take(vm("a", "node-b", 5), NOW);
        fleet.take(vm(again, "node-c", 7, VmPhase.PENDING, cu(1)), NOW);
        fleet.take(new VmGone(id("a"), 6));
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        var shown = fleet.all(NOW).vms().getFirst();
        assertThat(shown.uid()).isEqualTo("uid-of-the-second");
        assertThat(shown.waiting()).isEqualTo(Waiting.NOTHING);
    }

    @Test
    void publishesNothingNewWhenARunnerOnlyRepeatsItself() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.ROOM, 10, ""), NOW);
        long mark = fleet.all(NOW).mark();
        fleet.take(status("a", Waiting.ROOM, 39, ""), NOW.plusSeconds(30));
        assertThat(fleet.since(mark, NOW).orElseThrow().isEmpty()).isTrue();
        fleet.take(status("a", Waiting.ROOM, 3, ""), NOW.plusSeconds(31));
        assertThat(fleet.since(mark, NOW).orElseThrow().vms()).hasSize(1);
    }

    @Test
    void stopsShowingTheStatusOfARunnerThatFellSilent() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(vm("b", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.take(status("b", Waiting.ROOM, 0, ""), NOW.plusSeconds(50));
        List<String> silent = new ArrayList<>();
        fleet.forgetSilent(NOW.plus(FleetView.SILENT_AFTER), before -> silent.add(before.key()));
        assertThat(silent).containsExactly("default/a");
        assertThat(fleet.find("default/a").orElseThrow().waiting()).isEqualTo(Waiting.NOTHING);
        assertThat(fleet.find("default/b").orElseThrow().waiting()).isEqualTo(Waiting.ROOM);
    }

    @Test
    void keepsTheStatusOfARunnerThatReportedThatItStopped() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.take(status("a", Waiting.STOPPED, 0, "it is not labelled any more"), NOW);
        fleet.forgetSilent(NOW.plusSeconds(1_000), before -> {
            throw new AssertionError(before);
        });
        assertThat(fleet.all(NOW).vms().getFirst().waiting()).isEqualTo(Waiting.STOPPED);
        fleet.take(status("unheard-of", Waiting.STOPPED, 0, ""), NOW);
        assertThat(fleet.find("default/unheard-of")).isEmpty();
    }

    @Test
    void leavesTheLastWordToTheRunnerOfThePodThatTheVmRunsIn() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.take(stopped("pod-before"), NOW);
        assertThat(fleet.all(NOW).vms().getFirst().waiting()).isEqualTo(Waiting.ROOM);
        fleet.take(stopped("pod-a"), NOW);
        assertThat(fleet.all(NOW).vms().getFirst().waiting()).isEqualTo(Waiting.STOPPED);
    }

    private static RunnerStatus stopped(String pod) {
        var reported = status("a", Waiting.STOPPED, 0, "moved");
        return new RunnerStatus(
                reported.vm(),
                reported.node(),
                pod,
                reported.size(),
                reported.goal(),
                reported.permit(),
                reported.waiting(),
                reported.since(),
                reported.basis(),
                reported.reason(),
                reported.unit());
    }

    @Test
    void forgetsARunnerOfAVmThatWasNeverObserved() {
        fleet.take(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.forgetSilent(NOW.plus(FleetView.SILENT_AFTER), before -> {});
        assertThat(fleet.find("default/a")).isEmpty();
    }

    @Test
    void takesASnapshotForAllThatThereIs() {
        fleet.take(node("node-a", 10));
        fleet.take(node("node-b", 10));
        long mark = fleet.all(NOW).mark();
        fleet.take(new Snapshot(List.of(node("node-a", 11), node("node-c", 1))));
        var delta = fleet.since(mark, NOW).orElseThrow();
        assertThat(delta.nodesGone()).containsExactly("node-b");
        assertThat(delta.nodes()).extracting(ledger -> ledger.node()).containsExactlyInAnyOrder("node-a", "node-c");
    }

    @Test
    void reportsANodeThatWentAndOneThatCameBack() {
        fleet.take(node("node-a", 10));
        fleet.take(node("node-b", 10));
        long mark = fleet.all(NOW).mark();
        fleet.take(new NodeGone("node-a", 1));
        fleet.take(new NodeGone("node-b", 1));
        fleet.take(node("node-b", 10));
        var delta = fleet.since(mark, NOW).orElseThrow();
        assertThat(delta.nodesGone()).containsExactly("node-a");
        assertThat(delta.nodes()).extracting(ledger -> ledger.node()).containsExactly("node-b");
    }

    @Test
    void showsWhereAMigrationLeavesAndGoesTo() {
        fleet.take(vm("a", "node-c", 1), NOW);
        fleet.take(migration("a", 1, MigrationPhase.NEW, "node-a"));
        assertThat(fleet.all(NOW).migrations().getFirst())
                .extracting(MigrationEntry::from, MigrationEntry::to)
                .containsExactly("node-c", "node-a");
        fleet.take(new PodObserved("p2", "default", "a-1", "node-b", "a", 1, cu(4), 0, "schedplugin-a-0"));
        fleet.take(vm("a", "node-b", 2), NOW);
        fleet.take(migration("a", 2, MigrationPhase.SUCCEEDED, "node-a"));
        assertThat(fleet.all(NOW).migrations().getFirst())
                .extracting(MigrationEntry::from, MigrationEntry::to, MigrationEntry::phase)
                .containsExactly("node-c", "node-b", MigrationPhase.SUCCEEDED);
        long mark = fleet.all(NOW).mark();
        fleet.take(migration("a", 1, MigrationPhase.NEW, "node-a"));
        assertThat(fleet.since(mark, NOW).orElseThrow().isEmpty()).isTrue();
        fleet.take(new MigrationGone("default", "schedplugin-a-0", "m-a", "a", 3));
        assertThat(fleet.since(mark, NOW).orElseThrow().migrations()).contains(List.of());
    }

    @Test
    void keepsTheLastHundredDecisions() {
        for (int made = 0; made < 150; made++) {
            fleet.take(Explanation.of(ConsoleFeed.denied("vm-" + made, "node-c"), NOW));
        }
        long mark = fleet.all(NOW).mark();
        assertThat(fleet.all(NOW).decisions()).hasSize(100);
        assertThat(fleet.all(NOW).decisions().getLast().vm()).isEqualTo("default/vm-149");
        fleet.take(Explanation.of(ConsoleFeed.denied("last", "node-c"), NOW));
        assertThat(fleet.since(mark, NOW).orElseThrow().decisions())
                .extracting(Explanation::vm)
                .containsExactly("default/last");
    }

    @Test
    void replacesADecisionThatHasGrown() {
        var first = Explanation.of(ConsoleFeed.denied("a", "node-c"), NOW);
        fleet.take(first);
        fleet.take(Explanation.of(ConsoleFeed.denied("b", "node-c"), NOW));
        long mark = fleet.all(NOW).mark();

        var again = Explanation.of(ConsoleFeed.denied("a", "node-c"), NOW.plusSeconds(6));
        fleet.take(first.joined(again).orElseThrow());

        assertThat(fleet.all(NOW).decisions())
                .extracting(Explanation::vm, Explanation::count)
                .containsExactly(tuple("default/b", 1), tuple("default/a", 2));
        assertThat(fleet.since(mark, NOW).orElseThrow().decisions()).hasSize(1);
    }

    @Test
    void forgetsTheVmThatWasObservedLongestAgoWhereThereAreTooMany() {
        var small = new FleetView(2, 10);
        small.take(vm("a", "node-c", 1), NOW);
        small.take(status("a", Waiting.ROOM, 0, ""), NOW);
        small.take(vm("b", "node-c", 1), NOW);
        small.take(vm("c", "node-c", 1), NOW);
        assertThat(small.all(NOW).vms()).extracting(VmView::key).containsExactly("default/b", "default/c");
        small.forgetSilent(NOW.plus(FleetView.SILENT_AFTER), before -> {
            throw new AssertionError(before);
        });
    }
}
