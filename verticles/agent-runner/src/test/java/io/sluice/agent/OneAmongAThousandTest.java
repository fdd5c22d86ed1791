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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a fault in any one component that serves one VM has no effect on the scaling of 999 others.
 *
 * <p>Method: all are scaled up and down again, once without faults and once for each executor, whose faults have a VM
 * each. For the others, all requests, patches, decisions and statuses are compared.
 */
@ExtendWith(VertxExtension.class)
class OneAmongAThousandTest {
    private static final int OTHERS = 999;
    private static final int COUNT = OTHERS + Trouble.Fault.values().length;
    private static final int FIRST_IN_TROUBLE = 500;
    private static final Duration TIMEOUT = Duration.ofSeconds(55);
    private static final Duration LOOK = Duration.ofMillis(20);

    /** Metrics never grow old, as they would on a machine that is busy with other things. */
    private static final AgentConfig CONFIG = Surroundings.config(Duration.ofMillis(100), 1_000, COUNT);

    private static Vertx vertx;
    private static Map<String, List<Object>> inPeace;

    @BeforeAll
    static void playInPeace(Vertx injected) {
        vertx = injected;
        inPeace = courses(play(UnaryOperator.identity(), Set.of()));
        assertThat(inPeace).hasSize(COUNT);
    }

    @ParameterizedTest
    @EnumSource(Trouble.Executor.class)
    void oneThatIsInTroubleChangesNothingForTheOthers(Trouble.Executor executor) {
        var faults = new TreeMap<String, Trouble.Fault>();
        executor.faults().forEach(fault -> faults.put(ManyVms.name(FIRST_IN_TROUBLE + faults.size()), fault));
        var troubles = new HashMap<String, Trouble>();
        var vms = play(
                behind -> {
                    var ports = behind;
                    for (var one : faults.entrySet()) {
                        var trouble = new Trouble(one.getKey(), executor, one.getValue(), ports);
                        troubles.put(one.getKey(), trouble);
                        ports = trouble;
                    }
                    return ports;
                },
                faults.keySet());

        assertThat(differing(courses(vms), faults.keySet())).isEmpty();
        faults.forEach((vm, fault) -> {
            assertThat(troubles.get(vm).timesMet())
                    .as("times %s was met", fault)
                    .isPositive();
            if (fault == Trouble.Fault.THROWS || fault == Trouble.Fault.FAILS) {
                restartedAtItsPace(vms.life(vm));
            }
        });
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

    /** All but those that are in trouble are scaled up, then down. */
    private static ManyVms play(UnaryOperator<RunnerPorts> around, Set<String> inTrouble) {
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
        await().atMost(TIMEOUT).pollInterval(LOOK).until(() -> vms.haveSettledBut(inTrouble));
        vms.calmDown();
        await().atMost(TIMEOUT).pollInterval(LOOK).until(() -> vms.haveSettledBut(inTrouble));
        vertx.undeploy(id).await();
        return vms;
    }

    private static Map<String, List<Object>> courses(ManyVms vms) {
        var courses = new TreeMap<String, List<Object>>();
        vms.lives().forEach((name, life) -> courses.put(name, life.course()));
        return courses;
    }

    /** What differed from the run without faults, for all VMs but those in trouble. */
    private static Map<String, String> differing(Map<String, List<Object>> courses, Set<String> inTrouble) {
        var differing = new TreeMap<String, String>();
        courses.forEach((name, course) -> {
            if (!inTrouble.contains(name) && !course.equals(inPeace.get(name))) {
                differing.put(name, course + " in place of " + inPeace.get(name));
            }
        });
        return differing;
    }
}
