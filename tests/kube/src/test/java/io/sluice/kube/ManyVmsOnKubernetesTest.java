package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.fleet;
import static io.sluice.kube.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.core.LabNode;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of many objects at once each is counted and served, and no node is over-reserved by grants. Method: pods in a
 * burst, bound without a hold; and guests that all allocate memory at one instant, so that their monitors send upscale
 * requests.
 */
@OnKubernetes
class ManyVmsOnKubernetesTest {
    private static final int NODES = 4;
    private static final int VMS = 200;
    private static final int PODS = 1_000;
    private static final int AT_A_TIME = 32;

    /** The amounts of each other pod. */
    private static final Resources SMALL = new Resources(10, 16L << 20);

    /** More memory than a VM of four units has. */
    private static final long MUCH = 8L << 30;

    /** This test is not about migrations. */
    private static final Map<String, String> NONE_MOVES = Map.of("sluice.pressure.paused", "true");

    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final Duration WITHIN = Duration.ofSeconds(300);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private static ControlPlane plane;
    private static KubeFleet fleet;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        // Three quarters of what the VMs of a node demand.
        fleet = KubeFleet.everyday(
                plane,
                NONE_MOVES,
                IntStream.range(0, NODES)
                        .mapToObj(i -> node(nodeName(i), 150, fleet("vm-" + i, VMS / NODES)))
                        .toArray(LabNode[]::new));
        await().atMost(WITHIN).pollInterval(LOOK_EVERY).until(() -> {
            var reservations = members(fleet.ledger());
            return reservations.size() == VMS
                    && reservations.stream()
                            .allMatch(reservation -> !reservation.recovered()
                                    && reservation.reserved().equals(UNIT));
        });
    }

    @AfterAll
    static void stop() {
        fleet.close();
        plane.close();
    }

    private static String nodeName(int i) {
        return "node-crowd-" + i;
    }

    @Test
    void aThousandPodsAtOnceAreAllCountedAndPermitsGoOnMeanwhile() {
        int before = scaledUp().size();
        long began = System.nanoTime();
        var burst = new CompletableFuture<Void>();
        Thread.ofVirtual().start(() -> {
            inABurst(PODS, i -> fleet.bindPod("small-" + i, nodeName(i % NODES), SMALL));
            burst.complete(null);
        });
        fleet.work().allocate("vm-0-0", MUCH);
        await().atMost(WITHIN).until(() -> scaledUp().size() > before);
        long grew = since(began);
        assertThat(burst).succeedsWithin(WITHIN);
        long created = since(began);
        await().atMost(WITHIN)
                .until(() -> members(fleet.ledger()).stream()
                                .filter(reservation -> reservation.name().startsWith("small-"))
                                .count()
                        == PODS);
        System.out.printf(
                "%d pods: created within %d ms, all counted after %d ms; a VM grew after %d ms%n",
                PODS, created, since(began), grew);

        fleet.work().rest("vm-0-0");
        awaitThatTheLedgerMatchesTheApi();
        inABurst(PODS, i -> fleet.endPod("small-" + i));
        awaitThatTheLedgerMatchesTheApi();
        awaitThatAllVmsAreSmall();
        fleet.auditsClean();
    }

    /** Another test may follow: it finds each VM at one unit. */
    private static void awaitThatAllVmsAreSmall() {
        await().atMost(WITHIN)
                .pollInterval(LOOK_EVERY)
                .until(() -> members(fleet.ledger()).stream()
                        .allMatch(reservation -> reservation.reserved().equals(UNIT)));
    }

    @Test
    void twoHundredVmsThatRequestAtOnceEachGetAReplyWithinWhatTheirNodesHave() {
        var names = IntStream.range(0, VMS)
                .mapToObj(i -> "vm-" + i % NODES + "-" + i / NODES)
                .toList();
        int before = fleet.decisions().size();
        long began = System.nanoTime();
        names.forEach(vm -> fleet.work().allocate(vm, MUCH));

        await().atMost(WITHIN).until(() -> {
            fleet.ledger().forEach(ManyVmsOnKubernetesTest::isWithinItsNode);
            return answered(before).containsAll(names);
        });
        System.out.printf("%d upscale requests at once: each VM was patched after %d ms%n", VMS, since(began));
        await().atMost(WITHIN).pollInterval(LOOK_EVERY).until(() -> {
            fleet.ledger().forEach(ManyVmsOnKubernetesTest::isWithinItsNode);
            return fleet.ledger().stream().allMatch(ledger -> ledger.reserved().equals(ledger.total()));
        });
        System.out.printf("... all room was given after %d ms%n", since(began));
        await().atMost(WITHIN)
                .ignoreException(KubernetesClientException.class)
                .pollInterval(LOOK_EVERY)
                .untilAsserted(ManyVmsOnKubernetesTest::annotationsShowWhatIsReserved);
        System.out.printf("... and annotations showed it after %d ms%n", since(began));
        names.forEach(vm -> fleet.work().rest(vm));
        awaitThatAllVmsAreSmall();
        fleet.auditsClean();
    }

    private static Set<String> answered(int after) {
        var decisions = fleet.decisions();
        return decisions.subList(after, decisions.size()).stream()
                .filter(decision ->
                        decision.kind() == Decision.Kind.SCALED_UP || decision.kind() == Decision.Kind.DENIED)
                .map(decision -> decision.vm().name())
                .collect(Collectors.toSet());
    }

    private static List<Decision> scaledUp() {
        return fleet.decisions().stream()
                .filter(decision -> decision.kind() == Decision.Kind.SCALED_UP)
                .toList();
    }

    private static List<ReservationView> members(List<NodeLedgerView> ledger) {
        return ledger.stream().flatMap(node -> node.reservations().stream()).toList();
    }

    private static void isWithinItsNode(NodeLedgerView ledger) {
        for (var kind : ResourceKind.values()) {
            assertThat(ledger.reserved().of(kind))
                    .isLessThanOrEqualTo(ledger.total().of(kind));
        }
    }

    private static void awaitThatTheLedgerMatchesTheApi() {
        await().atMost(WITHIN)
                .ignoreException(KubernetesClientException.class)
                .pollInterval(LOOK_EVERY)
                .untilAsserted(ManyVmsOnKubernetesTest::theLedgerMatchesTheApi);
    }

    private static void theLedgerMatchesTheApi() {
        var vms = fleet.vmStates();
        var pods = fleet.client().pods().inNamespace("default").list().getItems();
        for (var ledger : fleet.ledger()) {
            var here = pods.stream()
                    .filter(pod -> ledger.node().equals(pod.getSpec().getNodeName()))
                    .toList();
            assertThat(names(ledger))
                    .isEqualTo(here.stream()
                            .map(pod -> pod.getMetadata().getName())
                            .collect(Collectors.toCollection(HashSet::new)));
            assertThat(ledger.reserved())
                    .isEqualTo(here.stream().map(pod -> uses(pod, vms)).reduce(Resources.NONE, Resources::plus));
        }
    }

    private static Set<String> names(NodeLedgerView ledger) {
        return ledger.reservations().stream().map(ReservationView::name).collect(Collectors.toSet());
    }

    private static Resources uses(Pod pod, Map<String, VmState> vms) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .map(labels -> labels.get("vm.neon.tech/name"))
                .map(vm -> vms.get(vm).reported())
                .orElse(SMALL);
    }

    private static void annotationsShowWhatIsReserved() {
        var vms = fleet.vmStates();
        for (var reservation : members(fleet.ledger())) {
            var text = vms.get(reservation.vmName()).annotation(APPROVED);
            assertThat(text).as(reservation.vmName()).isNotEmpty();
            var reported = new JsonObject(text);
            assertThat(new Resources(
                            Quantities.milliCpu(String.valueOf(reported.getValue("vCPUs"))),
                            Quantities.bytes(reported.getString("mem"))))
                    .as(reservation.vmName())
                    .isEqualTo(reservation.reserved());
        }
    }

    private static long since(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    private static void inABurst(int count, IntConsumer fault) {
        var turns = new Semaphore(AT_A_TIME);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var actions = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> {
                        turns.acquireUninterruptibly();
                        try {
                            fault.accept(i);
                        } finally {
                            turns.release();
                        }
                    }))
                    .toList();
            actions.forEach(done -> assertThat(done).succeedsWithin(WITHIN));
        }
    }
}
