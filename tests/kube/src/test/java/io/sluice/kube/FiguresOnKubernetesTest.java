package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.crowd;
import static io.sluice.kube.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.bus.MonitorAddresses;
import io.sluice.launcher.core.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long things take on a real API server. Method: each is measured in one run, and printed; no time is asserted. */
@OnKubernetes
class FiguresOnKubernetesTest {
    private static final int VMS = 12;
    private static final int ROUNDS = 4;
    private static final int MANY = 50;
    private static final int TURNS = 3;

    /** More than a VM of one unit has, and less than one of four. */
    private static final long ALLOCATED = 2L << 30;

    /** So that a cry comes before the metrics that say the same, as a rule. */
    private static final Map<String, String> SELDOM_SCRAPED = Map.of("sluice.agent.scrapePeriod", "2s");

    private static final Duration MEASURED = Duration.ofSeconds(3);
    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";

    private static ControlPlane plane;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Test
    void fromACryToThePatchOnAWatch() {
        var ear = new Ear();
        try (var town = Town.open(plane, SELDOM_SCRAPED, node("node-cries", 100, crowd("crier", VMS)));
                var watch = town.vms().inNamespace("default").watch(ear)) {
            assertThat(watch).isNotNull();
            Town.done(town.bus()
                    .subscribe(
                            MonitorAddresses.MEMORY_WANTED,
                            wanted -> ear.cried(wanted.vm().name())));
            for (int round = 1; round <= ROUNDS; round++) {
                IntStream.range(0, VMS).forEach(i -> town.settles("crier-" + i, UNIT));
                IntStream.range(0, VMS).forEach(i -> town.errands().allocate("crier-" + i, ALLOCATED));
                IntStream.range(0, VMS)
                        .forEach(i -> town.vm("crier-" + i, vm -> vm.told().exceeds(UNIT)));
                IntStream.range(0, VMS).forEach(i -> town.errands().rest("crier-" + i));
            }
            town.auditsClean();
        }
        var sorted = ear.took.stream().sorted().toList();
        assertThat(sorted).hasSizeGreaterThan(VMS);
        System.out.printf(
                "cry to patch event: %d cries, p50 %.1f ms, max %.1f ms%n",
                sorted.size(), millis(sorted.get(sorted.size() / 2)), millis(sorted.getLast()));
    }

    @Test
    void permitsWithAnnotationsWrittenBehindAndWithout() {
        try (var town = new Town(plane.admin(), plane.admin(), Map.of(), node("node-many", 200, crowd("many", MANY)))) {
            town.open(EnumSet.of(Role.LEDGER, Role.CLUSTER));
            town.restartDriver(false);
            var members = town.books(
                            "node-many",
                            books -> books.complete() && books.members().size() == MANY)
                    .members();
            var vms = town.vmStates();
            var load = new PermitLoad(
                    town.bus(), "node-many", members, vm -> vms.get(vm).uid());
            load.perSecond(MEASURED);
            assertThat(annotated(town)).isZero();
            town.restartDriver(true);
            load.perSecond(MEASURED);
            await().atMost(Town.WITHIN).until(() -> annotated(town) == MANY);
            // In turns, as other work on the machine comes and goes.
            double without = 0;
            double with = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                town.restartDriver(false);
                without += load.perSecond(MEASURED) / TURNS;
                town.restartDriver(true);
                with += load.perSecond(MEASURED) / TURNS;
            }
            System.out.printf(
                    "permits/s: %.0f without annotations, %.0f with them written behind: %.2f of it%n",
                    without, with, with / without);
        }
    }

    private static long annotated(Town town) {
        return town.vmStates().values().stream()
                .filter(vm -> !vm.annotation(APPROVED).isEmpty())
                .count();
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /** Hears on a watch of its own when a VM of one unit is told to be more, and how long after it cried. */
    private static final class Ear implements Watcher<GenericKubernetesResource> {
        private final Set<String> small = ConcurrentHashMap.newKeySet();
        private final Map<String, Long> cried = new ConcurrentHashMap<>();
        private final List<Long> took = new CopyOnWriteArrayList<>();

        /** One that was given more for its metrics, before it cried, is not counted. */
        void cried(String vm) {
            if (small.contains(vm)) {
                cried.putIfAbsent(vm, System.nanoTime());
            }
        }

        @Override
        public void eventReceived(Action action, GenericKubernetesResource object) {
            long now = System.nanoTime();
            var name = object.getMetadata().getName();
            if (!new VmState(object).told().exceeds(UNIT)) {
                small.add(name);
            } else if (small.remove(name)) {
                Optional.ofNullable(cried.remove(name)).ifPresent(at -> took.add(now - at));
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
