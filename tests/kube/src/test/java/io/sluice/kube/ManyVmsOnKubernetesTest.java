package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.crowd;
import static io.sluice.kube.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
 * Goal: many at once are each counted and answered, and no node is promised more than it has. Method: pods in a burst,
 * bound past everybody; and guests that all allocate at one instant, so that their monitors cry.
 */
@OnKubernetes
class ManyVmsOnKubernetesTest {
    private static final int NODES = 4;
    private static final int VMS = 200;
    private static final int PODS = 1_000;
    private static final int AT_A_TIME = 32;

    /** Of each of the others. */
    private static final Resources SMALL = new Resources(10, 16L << 20);

    /** More than a VM of four units has. */
    private static final long MUCH = 8L << 30;

    /** Who leaves full nodes is not what this is about. */
    private static final Map<String, String> NOBODY_MOVES = Map.of("sluice.pressure.paused", "true");

    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final Duration WITHIN = Duration.ofSeconds(300);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private static ControlPlane plane;
    private static Town town;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        // Three quarters of what the VMs of a node want.
        town = Town.everyday(
                plane,
                NOBODY_MOVES,
                IntStream.range(0, NODES)
                        .mapToObj(i -> node(nodeName(i), 150, crowd("vm-" + i, VMS / NODES)))
                        .toArray(LabNode[]::new));
        await().atMost(WITHIN).pollInterval(LOOK_EVERY).until(() -> {
            var members = members(town.books());
            return members.size() == VMS
                    && members.stream()
                            .allMatch(member ->
                                    !member.recovered() && member.reserved().equals(UNIT));
        });
    }

    @AfterAll
    static void stop() {
        town.close();
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
            inABurst(PODS, i -> town.bindPod("small-" + i, nodeName(i % NODES), SMALL));
            burst.complete(null);
        });
        town.errands().allocate("vm-0-0", MUCH);
        await().atMost(WITHIN).until(() -> scaledUp().size() > before);
        long grew = since(began);
        assertThat(burst).succeedsWithin(WITHIN);
        long created = since(began);
        await().atMost(WITHIN)
                .until(() -> members(town.books()).stream()
                                .filter(member -> member.name().startsWith("small-"))
                                .count()
                        == PODS);
        System.out.printf(
                "%d pods: created within %d ms, all counted after %d ms; a VM grew after %d ms%n",
                PODS, created, since(began), grew);

        town.errands().rest("vm-0-0");
        awaitThatBooksAreTheApisTruth();
        inABurst(PODS, i -> town.endPod("small-" + i));
        awaitThatBooksAreTheApisTruth();
        town.auditsClean();
    }

    @Test
    void twoHundredVmsThatAskAtOnceAreEachAnsweredWithinWhatTheirNodesHave() {
        var names = IntStream.range(0, VMS)
                .mapToObj(i -> "vm-" + i % NODES + "-" + i / NODES)
                .toList();
        int before = town.decisions().size();
        long began = System.nanoTime();
        names.forEach(vm -> town.errands().allocate(vm, MUCH));

        await().atMost(WITHIN).until(() -> {
            town.books().forEach(ManyVmsOnKubernetesTest::isWithinItsNode);
            return answered(before).containsAll(names);
        });
        System.out.printf("%d VMs that cry at once: each was answered after %d ms%n", VMS, since(began));
        await().atMost(WITHIN).pollInterval(LOOK_EVERY).until(() -> {
            town.books().forEach(ManyVmsOnKubernetesTest::isWithinItsNode);
            return town.books().stream().allMatch(books -> books.reserved().equals(books.total()));
        });
        System.out.printf("... all room was given after %d ms%n", since(began));
        await().atMost(WITHIN)
                .ignoreException(KubernetesClientException.class)
                .pollInterval(LOOK_EVERY)
                .untilAsserted(ManyVmsOnKubernetesTest::annotationsSayWhatIsBooked);
        System.out.printf("... and annotations said so after %d ms%n", since(began));
        names.forEach(vm -> town.errands().rest(vm));
        await().atMost(WITHIN)
                .pollInterval(LOOK_EVERY)
                .until(() -> members(town.books()).stream()
                        .allMatch(member -> member.reserved().equals(UNIT)));
        town.auditsClean();
    }

    private static Set<String> answered(int after) {
        var decisions = town.decisions();
        return decisions.subList(after, decisions.size()).stream()
                .filter(decision ->
                        decision.kind() == Decision.Kind.SCALED_UP || decision.kind() == Decision.Kind.DENIED)
                .map(decision -> decision.vm().name())
                .collect(Collectors.toSet());
    }

    private static List<Decision> scaledUp() {
        return town.decisions().stream()
                .filter(decision -> decision.kind() == Decision.Kind.SCALED_UP)
                .toList();
    }

    private static List<ReservationView> members(List<NodeLedgerView> books) {
        return books.stream().flatMap(node -> node.members().stream()).toList();
    }

    private static void isWithinItsNode(NodeLedgerView books) {
        for (var kind : ResourceKind.values()) {
            assertThat(books.reserved().of(kind))
                    .isLessThanOrEqualTo(books.total().of(kind));
        }
    }

    private static void awaitThatBooksAreTheApisTruth() {
        await().atMost(WITHIN)
                .ignoreException(KubernetesClientException.class)
                .pollInterval(LOOK_EVERY)
                .untilAsserted(ManyVmsOnKubernetesTest::booksAreTheApisTruth);
    }

    private static void booksAreTheApisTruth() {
        var vms = town.vmStates();
        var pods = town.client().pods().inNamespace("default").list().getItems();
        for (var books : town.books()) {
            var here = pods.stream()
                    .filter(pod -> books.node().equals(pod.getSpec().getNodeName()))
                    .toList();
            assertThat(names(books))
                    .isEqualTo(here.stream()
                            .map(pod -> pod.getMetadata().getName())
                            .collect(Collectors.toCollection(HashSet::new)));
            assertThat(books.reserved())
                    .isEqualTo(here.stream().map(pod -> uses(pod, vms)).reduce(Resources.NONE, Resources::plus));
        }
    }

    private static Set<String> names(NodeLedgerView books) {
        return books.members().stream().map(ReservationView::name).collect(Collectors.toSet());
    }

    private static Resources uses(Pod pod, Map<String, VmState> vms) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .map(labels -> labels.get("vm.neon.tech/name"))
                .map(vm -> vms.get(vm).told())
                .orElse(SMALL);
    }

    private static void annotationsSayWhatIsBooked() {
        var vms = town.vmStates();
        for (var member : members(town.books())) {
            var text = vms.get(member.vmName()).annotation(APPROVED);
            assertThat(text).as(member.vmName()).isNotEmpty();
            var said = new JsonObject(text);
            assertThat(new Resources(
                            Quantities.milliCpu(String.valueOf(said.getValue("vCPUs"))),
                            Quantities.bytes(said.getString("mem"))))
                    .as(member.vmName())
                    .isEqualTo(member.reserved());
        }
    }

    private static long since(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    private static void inABurst(int count, IntConsumer deed) {
        var turns = new Semaphore(AT_A_TIME);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var deeds = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> {
                        turns.acquireUninterruptibly();
                        try {
                            deed.accept(i);
                        } finally {
                            turns.release();
                        }
                    }))
                    .toList();
            deeds.forEach(done -> assertThat(done).succeedsWithin(WITHIN));
        }
    }
}
