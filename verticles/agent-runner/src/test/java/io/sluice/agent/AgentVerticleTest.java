package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class AgentVerticleTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Surroundings world;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        world = new Surroundings(vertx);
        world.start(vertx).await();
    }

    @Test
    void scalesUpAndDownWithTheLoadAndReportsIt(Vertx vertx) throws Exception {
        deploy(vertx, UnaryOperator.identity());
        assertThat(world.received).contains("resync agent");
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(6));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(6)));
        await().untilAsserted(() -> assertThat(world.received).contains("monitor.upscale"));

        world.loads.put("a", loadFor(3));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(3)));
        await().untilAsserted(() -> assertThat(world.decisions)
                .extracting(Decision::kind)
                .contains(Decision.Kind.SCALED_UP, Decision.Kind.SCALED_DOWN));
        assertThat(world.decisions)
                .filteredOn(decision -> decision.kind() == Decision.Kind.SCALED_UP)
                .first()
                .satisfies(scaled -> assertThat(scaled.reaction()).isPresent());
        await().untilAsserted(() -> assertThat(world.entries)
                .extracting(ScalingRecorded::kind, ScalingRecorded::currentMilliCu, ScalingRecorded::targetMilliCu)
                .startsWith(
                        tuple(ScalingRecorded.Kind.HYPOTHETICAL, 500L, 1_500L),
                        tuple(ScalingRecorded.Kind.ACTUAL, 500L, 1_500L),
                        tuple(ScalingRecorded.Kind.HYPOTHETICAL, 1_500L, 750L))
                .last()
                .extracting(Tuple::toList, list(Object.class))
                .startsWith(ScalingRecorded.Kind.ACTUAL)
                .endsWith(750L));
        assertThat(meters.get("sluice.agent.runners")
                        .tag("stage", "serving")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(meters.get("sluice.agent.patches")
                        .tag("outcome", "patched")
                        .counter()
                        .count())
                .isPositive();
        assertThat(meters.get("sluice.agent.permits.requested").counter().count())
                .isPositive();
        assertThat(meters.get("sluice.agent.reaction").timer().count()).isPositive();
    }

    @Test
    void givesMoreWhenTheMonitorRequestsAnUpscale(Vertx vertx) throws Exception {
        deploy(vertx, UnaryOperator.identity());
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(2));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.received).contains("ledger.permit"));
        // A monitor repeats it, and the size does not stay: so its decision shows it.
        await().untilAsserted(() -> {
            world.bus.publish(MonitorAddresses.MEMORY_WANTED, new UpscaleRequest(vm.vm(), 1));
            assertThat(world.decisions)
                    .extracting(Decision::kind, Decision::to)
                    .contains(tuple(Decision.Kind.SCALED_UP, cu(3)));
        });
        assertThat(meters.get("sluice.agent.upscale.requests").counter().count())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ledger.open",
                "ledger.permit",
                "vm.claim",
                "vm.patch",
                "monitor.attach",
                "monitor.upscale",
                "monitor.downscale",
                "scrape"
            })
    void scalesAllTheSameWhenSomeRequestsBringNoAnswer(String address, Vertx vertx) throws Exception {
        world.failNext(address, 2);
        deploy(vertx, UnaryOperator.identity());
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(4));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(4)));
        world.loads.put("a", loadFor(3));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(3)));
        await().untilAsserted(
                        () -> assertThat(world.failuresLeft.get(address).get()).isNotPositive());
    }

    @Test
    void aPortThatThrowsForOneVmLeavesAllOthersScaling(Vertx vertx) throws Exception {
        deploy(vertx, ports -> new ThrowsFor("broken", ports));
        world.loads.put("broken", loadFor(5));
        world.observe(world.vm("broken", 2));
        for (int i = 0; i < 5; i++) {
            world.loads.put("vm" + i, loadFor(5));
            world.observe(world.vm("vm" + i, 2));
        }
        await().untilAsserted(() -> assertThat(world.patched).hasSize(5));
        await().untilAsserted(() -> assertThat(meters.get("sluice.agent.restarts")
                        .tag("cause", "fault")
                        .counter()
                        .count())
                .as("the broken one is tried again and again, with a wait between")
                .isBetween(2.0, 40.0));
        world.patched.clear();
        for (int i = 0; i < 5; i++) {
            world.loads.put("vm" + i, loadFor(3));
        }
        await().untilAsserted(() -> assertThat(world.patched).hasSize(5));
        assertThat(world.patched.keySet()).noneMatch(vm -> vm.name().equals("broken"));
    }

    @Test
    void aVmThatEndedWithoutAReportIsMissedByTheFullLists(Vertx vertx) throws Exception {
        deploy(vertx, UnaryOperator.identity());
        world.observe(world.vm("a", 2));
        await().untilAsserted(() -> assertThat(world.received).contains("ledger.permit"));
        for (int fullList = 0; fullList < 3; fullList++) {
            assertThat(world.received).doesNotContain("monitor.detach");
            world.bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, 1, 0));
        }
        await().untilAsserted(() -> assertThat(world.received).contains("monitor.detach"));
    }

    @Test
    void aDeletedVmIsLeftAloneForGood(Vertx vertx) throws Exception {
        deploy(vertx, UnaryOperator.identity());
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(2));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.received).contains("ledger.permit"));
        world.bus.publish(ClusterAddresses.VM_GONE, new VmGone(vm.vm(), 9));
        await().untilAsserted(() -> assertThat(world.received).contains("monitor.detach"));
        await().untilAsserted(() -> assertThat(meters.get("sluice.agent.runners")
                        .tag("stage", "serving")
                        .gauge()
                        .value())
                .isZero());
        world.opened.clear();
        world.observe(vm);
        world.loads.put("b", loadFor(3));
        world.observe(world.vm("b", 2));
        await().untilAsserted(() -> assertThat(world.patched).hasSize(1));
        assertThat(world.sessions()).extracting(OpenSession::pod).containsExactly("uid-pod-b");
    }

    private void deploy(Vertx vertx, UnaryOperator<RunnerPorts> around) throws Exception {
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        vertx.deployVerticle(new AgentVerticle(Surroundings.CONFIG, shell, around))
                .await();
    }

    /** Throws at each scrape of one VM, and passes everything else on. */
    private record ThrowsFor(String name, RunnerPorts behind) implements RunnerPorts {
        @Override
        public Future<RunnerEvent> send(RunnerAction.Request request) {
            if (request instanceof RunnerAction.Scrape(var _, var _, var endpoint)
                    && endpoint.path().equals("/" + name)) {
                throw new IllegalStateException("this port is broken");
            }
            return behind.send(request);
        }

        @Override
        public void publish(ScalingRecorded recorded) {
            behind.publish(recorded);
        }

        @Override
        public void publish(Decision decision) {
            behind.publish(decision);
        }

        @Override
        public void publish(RunnerStatus status) {
            behind.publish(status);
        }

        @Override
        public void detach(DetachMonitor request, String at) {
            behind.detach(request, at);
        }
    }
}
