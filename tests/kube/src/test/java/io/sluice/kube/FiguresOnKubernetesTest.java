package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.fleet;
import static io.sluice.kube.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.bus.MonitorAddresses;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
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

/** Measures times on a real API server. Method: each is measured in one run, and printed; no time is asserted. */
@OnKubernetes
class FiguresOnKubernetesTest {
    private static final int VMS = 12;
    private static final int ROUNDS = 4;
    private static final int MANY = 50;
    private static final int TURNS = 3;

    /** More memory than a VM of one unit has, and less than one of four. */
    private static final long ALLOCATED = 2L << 30;

    /** With rare scrapes an upscale request usually comes before metrics that demand the same. */
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
    void fromAnUpscaleRequestToThePatchOnAWatch() {
        var ear = new Ear();
        try (var fleet = KubeFleet.open(plane, SELDOM_SCRAPED, node("node-cries", 100, fleet("crier", VMS)));
                var watch = fleet.vms().inNamespace("default").watch(ear)) {
            assertThat(watch).isNotNull();
            KubeFleet.done(fleet.bus()
                    .subscribe(
                            MonitorAddresses.MEMORY_WANTED,
                            request -> ear.upscaleRequested(request.vm().name())));
            for (int round = 1; round <= ROUNDS; round++) {
                IntStream.range(0, VMS).forEach(i -> fleet.settles("crier-" + i, UNIT));
                IntStream.range(0, VMS).forEach(i -> fleet.work().allocate("crier-" + i, ALLOCATED));
                IntStream.range(0, VMS)
                        .forEach(i -> fleet.vm("crier-" + i, vm -> vm.reported().exceeds(UNIT)));
                IntStream.range(0, VMS).forEach(i -> fleet.work().rest("crier-" + i));
            }
            fleet.auditsClean();
        }
        var sorted = ear.took.stream().sorted().toList();
        assertThat(sorted).hasSizeGreaterThan(VMS);
        System.out.printf(
                "upscale request to patch event: %d requests, p50 %.1f ms, max %.1f ms%n",
                sorted.size(), millis(sorted.get(sorted.size() / 2)), millis(sorted.getLast()));
    }

    @Test
    void permitsWithAnnotationsWrittenBehindAndWithout() {
        try (var fleet =
                new KubeFleet(plane.admin(), plane.admin(), Map.of(), node("node-many", 200, fleet("many", MANY)))) {
            fleet.open(EnumSet.of(Role.LEDGER, Role.CLUSTER));
            fleet.restartDriver(false);
            var reservations = fleet.ledger(
                            "node-many",
                            ledger -> ledger.complete() && ledger.reservations().size() == MANY)
                    .reservations();
            var vms = fleet.vmStates();
            var load = new PermitLoad(
                    fleet.bus(), "node-many", reservations, vm -> vms.get(vm).uid());
            load.perSecond(MEASURED);
            assertThat(annotated(fleet)).isZero();
            fleet.restartDriver(true);
            load.perSecond(MEASURED);
            await().atMost(KubeFleet.WITHIN).until(() -> annotated(fleet) == MANY);
            // Both in turns, as other work on the machine varies.
            double without = 0;
            double with = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                fleet.restartDriver(false);
                without += load.perSecond(MEASURED) / TURNS;
                fleet.restartDriver(true);
                with += load.perSecond(MEASURED) / TURNS;
            }
            System.out.printf(
                    "permits/s: %.0f without annotations, %.0f with them written behind: %.2f of it%n",
                    without, with, with / without);
        }
    }

    private static long annotated(KubeFleet fleet) {
        return fleet.vmStates().values().stream()
                .filter(vm -> !vm.annotation(APPROVED).isEmpty())
                .count();
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /**
     * Measures on a watch of its own when a VM of one unit is patched to more, and how long that is after its upscale
     * request.
     */
    private static final class Ear implements Watcher<GenericKubernetesResource> {
        private final Set<String> small = ConcurrentHashMap.newKeySet();
        private final Map<String, Long> upscaleRequested = new ConcurrentHashMap<>();
        private final List<Long> took = new CopyOnWriteArrayList<>();

        /** A VM that was patched for its metrics before its upscale request does not count. */
        void upscaleRequested(String vm) {
            if (small.contains(vm)) {
                upscaleRequested.putIfAbsent(vm, System.nanoTime());
            }
        }

        @Override
        public void eventReceived(Action action, GenericKubernetesResource object) {
            long now = System.nanoTime();
            var name = object.getMetadata().getName();
            if (!new VmState(object).reported().exceeds(UNIT)) {
                small.add(name);
            } else if (small.remove(name)) {
                Optional.ofNullable(upscaleRequested.remove(name)).ifPresent(at -> took.add(now - at));
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
