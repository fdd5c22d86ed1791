package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: a fault in any one component that serves one VM has no effect on the scaling of 999 others.
 *
 * <p>Method: all 1 000 are scaled up and down again, once without faults and once for each fault of each executor of
 * one of them. For the others, all requests, patches, decisions and statuses are compared.
 */
@ExtendWith(VertxExtension.class)
class OneAmongAThousandTest {
    private static final int COUNT = 1_000;
    private static final String THE_ONE = ManyVms.name(500);
    private static final Duration TIMEOUT = Duration.ofSeconds(55);
    private static final Duration LOOK = Duration.ofMillis(20);

    /** Metrics never grow old, as they would on a machine that is busy with other things. */
    private static final AgentConfig CONFIG = Surroundings.config(Duration.ofMillis(100), 1_000, COUNT);

    private static Vertx vertx;
    private static Map<String, List<Object>> inPeace;

    @BeforeAll
    static void playInPeace(Vertx injected) {
        vertx = injected;
        inPeace = courses(play(UnaryOperator.identity(), COUNT));
        assertThat(inPeace).hasSize(COUNT);
    }

    static Stream<Arguments> faults() {
        return Stream.of(Trouble.Executor.values())
                .flatMap(executor -> executor.faults().stream().map(fault -> Arguments.of(executor, fault)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("faults")
    void oneThatIsInTroubleChangesNothingForTheOthers(Trouble.Executor executor, Trouble.Fault fault) throws Exception {
        var trouble = new AtomicReference<Trouble>();
        var vms = play(
                behind -> {
                    trouble.set(new Trouble(THE_ONE, executor, fault, behind));
                    return trouble.get();
                },
                COUNT - 1);

        assertThat(trouble.get().timesMet()).as("times the fault was met").isPositive();
        assertThat(differing(courses(vms))).isEmpty();
        if (fault == Trouble.Fault.THROWS || fault == Trouble.Fault.FAILS) {
            restartedAtItsPace(vms.life(THE_ONE));
        }
    }

    private static void restartedAtItsPace(ManyVms.Life life) {
        for (int i = 1; i < life.sessions().size(); i++) {
            var pause =
                    Duration.ofNanos(life.sessions().get(i) - life.sessions().get(i - 1));
            assertThat(pause)
                    .as("before start %d", i)
                    .isGreaterThan(CONFIG.restartMin().dividedBy(2));
        }
    }

    /** At least so many are scaled up, then down. */
    private static ManyVms play(UnaryOperator<RunnerPorts> around, int atLeast) {
        var bus = new Bus(vertx);
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        var world = new AtomicReference<ManyVms>();
        var agent = new AgentVerticle(CONFIG, shell, unused -> {
            world.set(new ManyVms(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm)));
            return around.apply(world.get());
        });
        var id = vertx.deployVerticle(agent).await();
        var vms = world.get();
        vms.begin(COUNT);
        await().atMost(TIMEOUT).pollInterval(LOOK).until(() -> vms.settled() >= atLeast);
        vms.calmDown();
        await().atMost(TIMEOUT).pollInterval(LOOK).until(() -> vms.settled() >= atLeast);
        vertx.undeploy(id).await();
        return vms;
    }

    private static Map<String, List<Object>> courses(ManyVms vms) {
        var courses = new TreeMap<String, List<Object>>();
        vms.lives().forEach((name, life) -> courses.put(name, life.course()));
        return courses;
    }

    /** What differed from the run without faults, for all VMs but the one. */
    private static Map<String, String> differing(Map<String, List<Object>> courses) {
        var differing = new TreeMap<String, String>();
        courses.forEach((name, course) -> {
            if (!name.equals(THE_ONE) && !course.equals(inPeace.get(name))) {
                differing.put(name, course + " in place of " + inPeace.get(name));
            }
        });
        return differing;
    }
}
