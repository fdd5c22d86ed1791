package io.sluice.workers.kubernetes.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.worker.InstancePods.Phase;
import io.sluice.messages.worker.InstancePods.Pod;
import io.sluice.units.Resources;
import io.sluice.workers.core.FleetTiming;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.kubernetes.core.PodRules.Acknowledgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with the instance {@code a}, which placement has bound to it; its order is open. */
class PodRulesTest {
    private static final String NODE = "node-a";
    private static final String WORKER = "kubernetes:node-a";
    private static final long SESSION = 1;
    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");
    private static final Duration TIME = Duration.ofSeconds(30);

    private final WorkerFleet fleet = new WorkerFleet(new FleetTiming(TIME, TIME, TIME, TIME, TIME, TIME), 10, 10);
    private final PodRules rules = new PodRules(fleet);

    @BeforeEach
    void bind() {
        fleet.opened(PodRules.hello(node("", true)), SESSION, NOW);
        fleet.submit(
                new InstanceSpec(
                        "work",
                        "a",
                        "{\"kind\":\"Pod\"}",
                        PodRules.KIND,
                        new Resources(1_000, 1L << 30),
                        false,
                        InstanceSpec.Restart.ON_FAILURE,
                        Map.of(),
                        InstanceSpec.Gang.NONE,
                        InstanceSpec.Target.KUBERNETES),
                NOW);
        fleet.place(1, NOW);
        assertThat(fleet.bind(instance().uid(), instance().numbers().version(), NODE, NOW))
                .isEmpty();
        fleet.step();
    }

    private static NodeObserved node(String closed, boolean ready) {
        return new NodeObserved(NODE, 1, new Resources(4_000, 8L << 30), closed, List.of(), ready);
    }

    private Instance instance() {
        return fleet.instance("a").orElseThrow();
    }

    private Order order() {
        return fleet.orders(WORKER).getFirst();
    }

    private static Pod pod(String instance, long generation, Phase phase) {
        return pod(NODE, instance, generation, phase);
    }

    private static Pod pod(String node, String instance, long generation, Phase phase) {
        var name = PodRules.name(instance, generation);
        return new Pod(name, "uid-" + name, node, instance, generation, phase, "", 0);
    }

    @Test
    void createsThePodOfAnInstanceWithRoom() {
        assertThat(rules.start(NODE, order(), Set.of("other", instance().uid()), Optional.empty()))
                .isEqualTo(new PodAnswer.Create(order()));
    }

    @Test
    void createsNoPodOnRoomThatIsHeldNoMore() {
        assertThat(rules.start(NODE, order(), Set.of("other"), Optional.empty()))
                .isEqualTo(new PodAnswer.ListPods());

        var others =
                List.of(pod("b", 1, Phase.RUNNING), pod("a", 2, Phase.RUNNING), pod("node-b", "a", 1, Phase.RUNNING));
        assertThat(rules.start(NODE, order(), Set.of("other"), Optional.of(others)))
                .isEqualTo(new PodAnswer.Refuse("its room on the node is held no more"));
    }

    @Test
    void takesTheExistingPodWhenItsOrderIsRepeatedAfterTheHoldHasEnded() {
        var pods = List.of(pod("a", 1, Phase.RUNNING));
        assertThat(rules.holding(pods)).containsExactly(NODE);
        assertThat(rules.released(NODE, pods, Set.of("uid-a-1", instance().uid())))
                .containsExactly(instance());

        // The acknowledgement was lost; the ledger has the pod's own reservation alone.
        assertThat(rules.start(NODE, order(), Set.of("uid-a-1"), Optional.of(pods)))
                .isEqualTo(new PodAnswer.Create(order()));
    }

    @Test
    void endsTheHoldOnceAndOnlyWhenTheLedgerHasThePod() {
        var pods = List.of(pod("a", 1, Phase.STARTING));
        assertThat(rules.released(NODE, pods, Set.of(instance().uid()))).isEmpty();
        assertThat(rules.holding(pods)).containsExactly(NODE);
        assertThat(rules.released("node-b", pods, Set.of("uid-a-1"))).isEmpty();

        assertThat(rules.released(NODE, pods, Set.of("uid-a-1"))).containsExactly(instance());
        assertThat(rules.holding(pods)).isEmpty();
        assertThat(rules.released(NODE, pods, Set.of("uid-a-1"))).isEmpty();
    }

    @Test
    void endsTheHoldOfALaterPodOfTheSameInstanceAgain() {
        var first = List.of(pod("a", 1, Phase.RUNNING));
        rules.released(NODE, first, Set.of("uid-a-1"));
        assertThat(rules.holding(List.of())).isEmpty();

        assertThat(rules.holding(first)).containsExactly(NODE);
    }

    @Test
    void holdsNothingForThePodOfAnotherStart() {
        var pods = List.of(pod("a", 2, Phase.RUNNING), pod("b", 1, Phase.RUNNING));
        assertThat(rules.holding(pods)).isEmpty();
        assertThat(rules.released(NODE, pods, Set.of("uid-a-2", "uid-b-1"))).isEmpty();
    }

    @Test
    void removesPodsThatAreOverAndThatNoInstanceHoldsRoomFor() {
        var earlier = pod("a", 0, Phase.FAILED);
        var another = pod("b", 1, Phase.SUCCEEDED);
        assertThat(rules.over(List.of(
                        earlier,
                        another,
                        pod("a", 1, Phase.FAILED),
                        pod("c", 1, Phase.RUNNING),
                        pod("d", 1, Phase.ENDING))))
                .containsExactly(earlier, another);
    }

    @Test
    void endsEveryPodOfTheInstanceUpToTheGenerationThatIsStopped() {
        var first = pod("a", 1, Phase.FAILED);
        var second = pod("a", 2, Phase.RUNNING);
        var pods = List.of(
                first,
                second,
                pod("a", 3, Phase.STARTING),
                pod("b", 1, Phase.RUNNING),
                pod("node-b", "a", 1, Phase.RUNNING));
        assertThat(PodRules.stop(NODE, "a", 2, pods)).isEqualTo(new PodAnswer.End(List.of(first, second)));
        assertThat(PodRules.stop(NODE, "a", 0, pods)).isEqualTo(new PodAnswer.Refuse("there is no such pod"));
    }

    @Test
    void carriesOutNoOrderThatIsAcknowledged() {
        var order = order();
        assertThat(rules.open(NODE, order.seq())).contains(order);
        assertThat(rules.open(NODE, order.seq() + 1)).isEmpty();

        fleet.acknowledged(WORKER, SESSION, order.seq(), true, "", NOW);
        assertThat(rules.open(NODE, order.seq())).isEmpty();
    }

    @Test
    void acknowledgesWhatIsCertain() {
        assertThat(PodRules.acknowledgement(new PodBinding.Bound(NODE))).contains(new Acknowledgement(true, ""));
        assertThat(PodRules.acknowledgement(new PodBinding.Refused("422"))).contains(new Acknowledgement(false, "422"));
        assertThat(PodRules.acknowledgement(new PodBinding.InDoubt("timeout"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "STARTING, CREATING",
        "RUNNING, RUNNING",
        "ENDING, DESTROYING",
        "SUCCEEDED, TERMINATED",
        "FAILED, FAILED"
    })
    void reportsThePhaseOfThePodOfTheLastStart(Phase phase, Observed observed) {
        var inventories = PodRules.inventories(
                List.of(pod("a", 2, phase), pod("a", 1, Phase.ENDING), pod("node-b", "b", 1, Phase.RUNNING)));
        assertThat(inventories)
                .containsOnly(
                        Map.entry(NODE, List.of(new InstanceReport("a", 2, observed, "", 0))),
                        Map.entry("node-b", List.of(new InstanceReport("b", 1, Observed.RUNNING, "", 0))));
    }

    @Test
    void offersNothingOnANodeThatNoNewPodMayBePlacedOn() {
        assertThat(PodRules.hello(node("", true)).runtimes()).containsExactly(PodRules.KIND);
        assertThat(PodRules.hello(node("cordoned", true)).runtimes()).isEmpty();
        assertThat(PodRules.hello(node("", false)).runtimes()).isEmpty();
    }
}
