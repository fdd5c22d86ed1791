package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.shell.Assignment;
import io.sluice.shell.Dumps;
import io.sluice.shell.FakePeers;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several agents on one bus, each with a list of the others. */
@ExtendWith(VertxExtension.class)
class AgentShareTest {
    private final FakePeers one = new FakePeers("p1", "agent");
    private final FakePeers two = new FakePeers("p2", "agent");
    private Surroundings world;
    private Vertx vertx;

    /** An agent with metrics of its own. */
    private record Agent(SimpleMeterRegistry meters, SimpleMeterRegistry vmMeters, Dumps dumps) {
        double serving() {
            return meters.get("sluice.agent.runners")
                    .tag("stage", "serving")
                    .gauge()
                    .value();
        }

        boolean shows(VmObserved vm) {
            return vmMeters.getMeters().stream()
                    .anyMatch(meter -> vm.vm().name().equals(meter.getId().getTag("vm_name")));
        }

        List<String> hosted() throws Exception {
            return dumps.parts().get("agent").keys().await();
        }
    }

    @BeforeEach
    void start(Vertx given) throws Exception {
        vertx = given;
        world = new Surroundings(vertx);
        world.start(vertx).await();
    }

    @Test
    void eachVmIsServedByOneOfThem() throws Exception {
        one.observes(two.self());
        two.observes(one.self());
        var first = deploy(one);
        var second = deploy(two);
        var vms = IntStream.range(0, 20).mapToObj(i -> world.vm("vm-" + i, 2)).toList();
        vms.forEach(world::observe);

        await().until(() -> first.serving() + second.serving() == 20);
        assertThat(world.sessions()).extracting(OpenSession::pod).doesNotHaveDuplicates();
        var mine = new Assignment(one, "agent");
        for (var vm : vms) {
            assertThat(first.shows(vm)).isEqualTo(mine.mine(vm.vm().label()));
            assertThat(second.shows(vm)).isNotEqualTo(first.shows(vm));
        }
        assertThat(first.serving()).isBetween(1.0, 19.0);
        await().untilAsserted(() -> assertThat(
                        first.meters().get("sluice.agent.vms.elsewhere").gauge().value())
                .isEqualTo(second.serving()));
    }

    @Test
    void anAssignmentIsServedWithoutAnotherObservationAndLeftWithoutAReport() throws Exception {
        var first = deploy(one);
        two.observes(one.self());
        var second = deploy(two);
        var vm = world.vm(fallingTo(two), 2);
        var kept = world.vm(fallingTo(one), 2);
        world.observe(vm);
        world.observe(kept);
        await().until(() -> first.serving() == 2 && second.serving() == 1);
        two.observes();
        await().until(() -> second.serving() == 2);

        world.statuses.clear();
        one.observes(two.self());
        await().until(() -> first.hosted().equals(List.of(kept.vm().label())));
        assertThat(first.shows(vm)).isFalse();
        assertThat(first.serving()).isEqualTo(1);
        assertThat(world.statuses)
                .extracting(RunnerStatus::waiting)
                .doesNotContain(Waiting.STOPPED, Waiting.SUPERSEDED);

        one.observes();
        await().until(() -> first.serving() == 2);
        assertThat(first.shows(vm)).isTrue();
    }

    @Test
    void whatIsUnderWayIsAwaitedAndNothingElseIsRequested() throws Exception {
        var first = deploy(one);
        var vm = world.vm(fallingTo(two), 2);
        world.loads.put(vm.vm().name(), loadFor(2));
        world.observe(vm);
        await().until(() -> first.serving() == 1);
        world.holdPatches();
        world.loads.put(vm.vm().name(), loadFor(6));
        await().until(() -> world.held() == 1);

        one.observes(two.self());
        await().until(() -> first.meters()
                        .get("sluice.agent.runners")
                        .tag("stage", "stopping")
                        .gauge()
                        .value()
                == 1);
        world.received.clear();
        world.release();
        await().until(() -> first.hosted().isEmpty());
        assertThat(world.target(vm)).isEqualTo(cu(6));
        assertThat(world.received)
                .doesNotContain("ledger.permit", "monitor.upscale")
                .containsOnlyOnce("vm.patch");
    }

    @Test
    void aShareThatComesBackWhileItLeavesBeginsAnewOnceItHasLeft() throws Exception {
        var first = deploy(one);
        var vm = world.vm(fallingTo(two), 2);
        world.loads.put(vm.vm().name(), loadFor(2));
        world.observe(vm);
        await().until(() -> first.serving() == 1);
        world.holdPatches();
        world.loads.put(vm.vm().name(), loadFor(6));
        await().until(() -> world.held() == 1);

        one.observes(two.self());
        one.observes();
        one.observes(two.self());
        await().until(() -> !first.shows(vm));
        one.observes();
        await().until(() -> first.shows(vm));
        assertThat(world.sessions()).hasSize(1);
        world.release();
        await().until(() -> world.sessions().size() == 2);
        await().until(() -> first.serving() == 1);
        var runners = world.sessions().stream().map(OpenSession::runner).toList();
        assertThat(runners).doesNotHaveDuplicates();
    }

    @Test
    void byNodeEachServesItsNodeAndAVmThatMovesGoesAlong() throws Exception {
        var first = deploy(one, Surroundings.sharedByNode("n1"));
        var second = deploy(one, Surroundings.sharedByNode("n2"));
        var vm = world.vm("a", 2);
        world.observe(vm);
        world.observe(world.moved(world.vm("b", 2), VmPhase.RUNNING, "pod-b2", "n2"));
        await().until(() -> first.serving() == 1 && second.serving() == 1);
        assertThat(first.hosted()).containsExactly("default/a");

        world.observe(world.moved(vm, VmPhase.MIGRATING, "pod-a", "n1"));
        await().until(() -> first.serving() == 0);
        world.observe(world.moved(vm, VmPhase.RUNNING, "pod-a2", "n2"));
        await().until(() -> second.serving() == 2);
        assertThat(first.hosted()).isEmpty();
        assertThat(first.shows(vm)).isFalse();
    }

    /** The name of a VM that is assigned to that one of the two. */
    private String fallingTo(FakePeers holder) {
        var both = new FakePeers(holder.self().id(), "agent");
        both.observes(holder == one ? two.self() : one.self());
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "vm-" + i)
                .filter(name -> new Assignment(both, "agent").mine("default/" + name))
                .findFirst()
                .orElseThrow();
    }

    private Agent deploy(FakePeers peers) throws Exception {
        return deploy(peers, Surroundings.CONFIG);
    }

    private Agent deploy(FakePeers peers, AgentConfig config) throws Exception {
        var agent = new Agent(new SimpleMeterRegistry(), new SimpleMeterRegistry(), new Dumps());
        var shell = new Shell(
                        new MonotonicClock(),
                        agent.meters(),
                        agent.vmMeters(),
                        new Readiness(),
                        agent.dumps(),
                        new Random(1))
                .among(peers);
        vertx.deployVerticle(new AgentVerticle(config, shell)).await();
        return agent;
    }
}
