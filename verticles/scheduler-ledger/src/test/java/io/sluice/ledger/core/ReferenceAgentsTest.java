package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statuses that the ledger publishes of VMs whose agents have no sessions. */
class ReferenceAgentsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Scene scene = Scene.loaded();
    private final ReferenceAgents agents = new ReferenceAgents(2);
    private long seq;

    @BeforeEach
    void placed() {
        scene.bound(Vm.of("A", 1000, 4000));
        agents.observed(id("A"));
    }

    @Test
    void reportsWhatWasRequestedAndPermittedAndSinceWhenLessAndWhy() {
        scene.fillTo(9_250);
        request("A", 3_000);
        scene.after(SECOND.multipliedBy(4));

        assertThat(due()).singleElement().satisfies(status -> {
            assertThat(status.vm()).isEqualTo(id("A"));
            assertThat(status.node()).isEqualTo(Scene.NODE);
            assertThat(status.pod()).isEqualTo("A");
            assertThat(status.size()).isEqualTo(cpu(1_000));
            assertThat(status.goal()).contains(cpu(3_000));
            assertThat(status.permit()).contains(cpu(1_750));
            assertThat(status.waiting()).isEqualTo(Waiting.ROOM);
            assertThat(status.since()).isEqualTo(SECOND.multipliedBy(4));
            assertThat(status.reason())
                    .isEqualTo("cpu: requested 3000m, permitted 1750m: node node-1 has 0m of 10000m left");
        });
    }

    @Test
    void reportsNothingToWaitForWhereAllWasGranted() {
        request("A", 2_000);

        assertThat(due()).singleElement().satisfies(status -> {
            assertThat(status.permit()).contains(cpu(2_000));
            assertThat(status.waiting()).isEqualTo(Waiting.NOTHING);
            assertThat(status.reason()).isEmpty();
        });
    }

    @Test
    void reportsTheFirstOfAVmInOneRoundAndAChangeAtItsTurn() {
        request("A", 2_000);
        assertThat(due(ReferenceAgents.SLICES)).hasSize(1);

        request("A", 2_500);
        assertThat(IntStream.range(0, ReferenceAgents.CALLS).anyMatch(call -> !due(1).isEmpty()))
                .isTrue();
        request("A", 3_000);
        assertThat(due(ReferenceAgents.CALLS - 1)).isEmpty();
        assertThat(due(1))
                .singleElement()
                .satisfies(status -> assertThat(status.goal()).contains(cpu(3_000)));
    }

    @Test
    void namesTheMaximumAndTheMigrationThatKeepItFromMore() {
        request("A", 5_000);
        assertThat(due()).extracting(RunnerStatus::waiting).containsExactly(Waiting.MAX);

        scene.mark("A");
        assertThat(due()).extracting(RunnerStatus::waiting).containsExactly(Waiting.MIGRATION);
    }

    @Test
    void reportsWhatIsRepeatedOnceInThirtySecondsAndNothingOfAnAgentThatIsSilent() {
        scene.fillTo(9_500);
        request("A", 3_000);
        var first = due();
        scene.after(ReferenceAgents.REPEAT_AFTER.minus(SECOND));
        request("A", 3_000);
        assertThat(due()).isEmpty();

        scene.after(SECOND);
        assertThat(due()).as("nothing was requested since").isEmpty();
        request("A", 3_000);
        assertThat(due()).singleElement().satisfies(again -> {
            assertThat(again.permit()).isEqualTo(first.getFirst().permit());
            assertThat(again.since()).as("as long as it is denied").isEqualTo(ReferenceAgents.REPEAT_AFTER);
        });
    }

    @Test
    void reportsEachChangeAndSinceWhenItWaitsForSomethingElse() {
        request("A", 2_000);
        assertThat(due()).hasSize(1);
        scene.after(SECOND);
        scene.fillTo(10_000);
        request("A", 3_000);
        scene.after(SECOND);

        assertThat(due()).singleElement().satisfies(status -> {
            assertThat(status.waiting()).isEqualTo(Waiting.ROOM);
            assertThat(status.since()).isEqualTo(SECOND);
        });
        scene.vm(Vm.of("A", 1_500, 4000));
        assertThat(due()).extracting(RunnerStatus::size).containsExactly(cpu(1_500));
    }

    @Test
    void leavesVmsToTheirRunnersWhateverTheseReport() {
        scene.ruled("A", 3_000);
        assertThat(due()).isEmpty();
        scene.ruledBlind("A", 2_000, Optional.empty());
        assertThat(due()).isEmpty();

        request("A", 3_000);
        assertThat(due()).hasSize(1);
        scene.session("A", "runner-2");
        assertThat(due()).as("a runner superseded the agent").isEmpty();
        request("A", 3_000);
        assertThat(due()).as("and the agent the runner").hasSize(1);
    }

    @Test
    void reportsNothingOfVmsThatWereNotObservedAndForgetsTheOldestOfTooMany() {
        scene.bound(Vm.of("B", 1000, 4000));
        request("B", 2_000);
        assertThat(due()).isEmpty();

        agents.observed(id("B"));
        agents.observed(id("A"));
        agents.observed(id("C"));
        request("A", 2_000);
        assertThat(due()).extracting(status -> status.vm().name()).containsExactly("A");
    }

    @Test
    void reportsAnewWhatComesBackFromElsewhere() {
        request("A", 2_000);
        assertThat(due()).hasSize(1);

        agents.forget(Scene.NODE);

        assertThat(due()).hasSize(1);
    }

    @Test
    void looksAtANodeOnceAfterItsLastChange() {
        agents.changed(scene.state);
        assertThat(due()).isEmpty();
        request("A", 2_000);

        assertThat(agents.due(scene.now))
                .as("it is not known that the node has changed")
                .isEmpty();
        assertThat(due()).hasSize(1);
    }

    private List<RunnerStatus> due() {
        return due(ReferenceAgents.CALLS);
    }

    private List<RunnerStatus> due(int calls) {
        agents.changed(scene.state);
        return IntStream.range(0, calls)
                .mapToObj(call -> agents.due(scene.now))
                .flatMap(List::stream)
                .toList();
    }

    /** A request as the gateway sends it for an agent without sessions. */
    private void request(String pod, long milliCpu) {
        var runner = OpenSession.gateway("1-1");
        var opened = (OpenReply.Opened) scene.open(pod, runner, 0);
        seq++;
        scene.request(new PermitRequest(
                Scene.NODE,
                pod,
                runner,
                opened.session(),
                seq,
                Scene.UNIT,
                cpu(milliCpu),
                Optional.empty(),
                Optional.empty()));
    }

    private static VmId id(String name) {
        return new VmId("test", "ns", name, name);
    }
}
