package io.sluice.kube;

import static io.sluice.kube.KubeFleet.done;
import static io.sluice.kube.Residents.MERGE;
import static io.sluice.kube.Residents.PODS;
import static io.sluice.kube.Residents.VMS;
import static io.sluice.kube.Residents.podObject;
import static io.sluice.kube.Residents.uid;
import static io.sluice.kube.Residents.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.EventAddress;
import io.sluice.bus.LedgerAddresses;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Meddler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.ledger.LedgerConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: observations become correct again soon after any fault between Sluice and the API server, without waiting for
 * the relist every five minutes. Method: the role {@code cluster} on a bus that the test reads, and a real API server
 * behind a proxy that cuts, stalls and refuses.
 */
@OnKubernetes
class WatchesOnKubernetesTest {
    private static final String AT_ONCE = "{\"gracePeriodSeconds\":0}";
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LEFT_ALONE = Duration.ofSeconds(20);
    private static final int KINDS = 4;

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static KubernetesClient direct;
    private static RawApi raw;
    private static Residents residents;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Shell shell =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
    private final List<Object> observations = new CopyOnWriteArrayList<>();
    private Meddler meddler;
    private KubernetesClient client;

    @BeforeAll
    static void startPlane() {
        plane = ControlPlane.start(folder);
        direct = KubernetesConnection.open(plane.admin());
        raw = new RawApi(direct);
        residents = new Residents(raw);
        for (var node : List.of("node-a", "node-b")) {
            raw.post("/api/v1/nodes", """
                {"metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"800","memory":"3200Gi","pods":"5000"}}}\
                """.formatted(node));
        }
    }

    @AfterAll
    static void stopPlane() {
        direct.close();
        plane.close();
    }

    @BeforeEach
    void listen() {
        meddler = new Meddler(plane.admin());
        for (var address : List.<EventAddress<?>>of(
                ClusterAddresses.NODE_OBSERVED,
                ClusterAddresses.POD_OBSERVED,
                ClusterAddresses.POD_GONE,
                ClusterAddresses.VM_OBSERVED,
                ClusterAddresses.VM_GONE,
                ClusterAddresses.LISTED)) {
            done(bus.subscribe(address, observations::add));
        }
    }

    @AfterEach
    void clear() {
        done(vertx.close());
        client.close();
        meddler.close();
        for (var collection : List.of(VMS, PODS)) {
            raw.delete(collection, AT_ONCE);
            await().atMost(TIMEOUT)
                    .until(() -> raw.get(collection).body().path("items").isEmpty());
        }
    }

    @Test
    void publishesWhatHappenedWhileItsWatchesWereCut() {
        var staying = residents.pod("staying", "node-a");
        var going = residents.pod("going", "node-a");
        residents.vm("db", "node-a");
        deploy(LONG);
        await().atMost(TIMEOUT)
                .until(() -> received(FullListPublished.class).size() == 1
                        && podUids().containsAll(List.of(staying, going))
                        && !received(VmObserved.class).isEmpty());

        meddler.cut();
        raw.delete(PODS + "/going", AT_ONCE);
        var coming = residents.pod("coming", "node-a");
        raw.patch(VMS + "/db", MERGE, "{\"spec\":{\"guest\":{\"cpus\":{\"use\":2}}}}");
        meddler.heal();

        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(goneUids()).containsExactly(going);
            assertThat(podUids()).contains(staying, coming);
            assertThat(received(VmObserved.class).getLast().sizes().spec().milliCpu())
                    .isEqualTo(2000);
        });
        assertThat(received(FullListPublished.class)).hasSize(1);
    }

    /** The cache of a restarted API server begins with the current objects: earlier versions are unknown to it. */
    @Test
    void listsAnewWhatTheServerHasForgotten() {
        var going = residents.pod("going", "node-a");
        deploy(LONG);
        await().atMost(TIMEOUT).until(() -> received(FullListPublished.class).size() == 1);

        meddler.cut();
        raw.delete(PODS + "/going", AT_ONCE);
        var coming = residents.pod("coming", "node-a");
        plane.killApiServer();
        plane.startApiServer();
        residents.pod("later", "node-a");
        meddler.heal();

        // It was away for so long that it gets a request only every half minute.
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(goneUids()).containsExactly(going);
            assertThat(podUids()).contains(coming);
        });
        assertThat(anyEnded("expired")).isTrue();
        await().atMost(TIMEOUT).until(this::allWatch);
    }

    @Test
    void beginsAListAnewThatWasForgottenBetweenTwoPages() {
        var uids = new HashSet<String>();
        for (int i = 0; i < 501; i++) {
            uids.add(residents.pod("many-" + i, "node-a"));
        }
        meddler.refuse(uri -> uri.contains("continue="), 410, "", 1);

        deploy(LONG);

        await().atMost(TIMEOUT).until(() -> received(FullListPublished.class).size() == 1);
        assertThat(podUids()).containsAll(uids);
        assertThat(meddler.requests().stream().filter(uri -> uri.contains("continue=")))
                .hasSize(2);
    }

    /** There are a few requests of each kind in that time, and never one sooner than the server permits. */
    @ParameterizedTest
    @CsvSource({"429, 5, 5", "503, '', 7", "500, '', 7"})
    void leavesAServerAloneThatRefuses(int status, String retryAfter, int mostOfAKind) {
        deploy(LONG);
        await().atMost(TIMEOUT).until(this::allWatch);
        meddler.refuse(uri -> true, status, retryAfter, Integer.MAX_VALUE);
        var began = Instant.now();
        meddler.cutOnce();

        await().during(LEFT_ALONE).atMost(TIMEOUT).until(() -> !allWatch());
        meddler.heal();

        // On a busy machine the check may come later than its time.
        assertThat(meddler.requested(began, began.plus(LEFT_ALONE)))
                .isBetween((long) KINDS, (long) KINDS * mostOfAKind);
        var uid = residents.pod("after", "node-a");
        await().atMost(TIMEOUT).until(() -> podUids().contains(uid));
    }

    @Test
    void receivesChangesAgainAfterItsWatchesFellSilent() {
        deploy(SHORT);
        await().atMost(TIMEOUT).until(this::allWatch);

        meddler.stall();
        var uid = residents.pod("unheard", "node-a");
        await().atMost(TIMEOUT).until(() -> anyEnded("silent"));
        meddler.heal();

        // The request that was under way in the stall is given up after its timeout.
        await().atMost(TIMEOUT).until(() -> podUids().contains(uid));
        assertThat(received(FullListPublished.class)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1", "20261122"})
    void publishesNothingOldAndNothingOfWhatIsGoneThroughAStorm(long seed) {
        var random = new Random(seed);
        deploy(SHORT);
        await().atMost(TIMEOUT).until(this::allWatch);

        for (int step = 0; step < 150; step++) {
            var name = "p" + random.nextInt(5);
            switch (random.nextInt(6)) {
                case 0 -> raw.delete(PODS + "/" + name, AT_ONCE);
                case 1 ->
                    raw.patch(PODS + "/" + name, MERGE, "{\"metadata\":{\"labels\":{\"n\":\"%d\"}}}".formatted(step));
                case 2 -> raw.post(PODS, podObject(name, "node-a"));
                case 3 -> bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
                case 4 -> meddler.cutOnce();
                default -> raw.patch(PODS + "/" + name + "/status", MERGE, "{\"status\":{\"phase\":\"Running\"}}");
            }
        }
        var there = new HashMap<String, Long>();
        raw.get(PODS).body().path("items").forEach(pod -> there.put(uid(pod), version(pod)));

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(asReported(seed)).isEqualTo(there));
    }

    @Test
    void distinguishesANewPodOfAnOldNameFromTheOldOne() {
        var old = residents.pod("same", "node-a");
        deploy(LONG);
        await().atMost(TIMEOUT).until(() -> podUids().contains(old));

        meddler.cut();
        raw.delete(PODS + "/same", AT_ONCE);
        var young = residents.pod("same", "node-b");
        meddler.heal();

        await().atMost(TIMEOUT)
                .until(() -> podUids().contains(young) && goneUids().contains(old));
        assertThat(goneUids()).doesNotContain(young);
    }

    @Test
    @DisplayName("F11: nothing is granted before the first full list of each kind")
    void grantsNothingBeforeEachKindWasListed() {
        var uid = residents.pod("db-0", "node-a");
        residents.vm("db", "node-a");
        meddler.refuse(uri -> uri.contains("virtualmachinemigrations"), 503, "", Integer.MAX_VALUE);
        done(vertx.deployVerticle(new LedgerVerticle(LedgerConfig.DEFAULTS, shell)));
        deployVerticle(LONG);

        await().atMost(TIMEOUT)
                .until(() -> meddler.requests().stream()
                                .filter(uri -> uri.contains("virtualmachinemigrations"))
                                .count()
                        >= 2);
        assertThat(open(uid)).isInstanceOf(OpenReply.NotReady.class);
        meddler.heal();

        await().atMost(TIMEOUT).until(() -> open(uid) instanceof OpenReply.Opened);
    }

    @Test
    void ofANodePublishesThatAloneAndWhatLeavesIt() {
        residents.vm("here", "node-a");
        residents.vm("there", "node-b");
        var here = residents.pod("here-0", "node-a");
        residents.pod("there-0", "node-b");
        var config = meddler.config(LONG);
        client = KubernetesConnection.open(config, shell.meters());
        deploy(ClusterVerticle.ofNode("node-a", ClusterConfig.DEFAULTS, config, shell, client));
        await().atMost(TIMEOUT)
                .until(() -> allWatch() && !received(VmObserved.class).isEmpty());

        raw.patch(VMS + "/there", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        residents.place("here", "node-b");
        await().atMost(TIMEOUT).until(() -> lastVm().node().equals("node-b"));
        raw.patch(VMS + "/here", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        residents.place("there", "node-a");

        await().atMost(TIMEOUT).until(() -> lastVm().vm().name().equals("there"));
        assertThat(podUids()).containsOnly(here);
        assertThat(received(NodeObserved.class)).allMatch(node -> node.node().equals("node-a"));
        assertThat(received(VmObserved.class).stream()
                        .map(vm -> vm.vm().name() + " on " + vm.node())
                        .distinct())
                .containsExactly("here on node-a", "here on node-b", "there on node-a");
    }

    private OpenReply open(String pod) {
        return done(bus.request(LedgerAddresses.OPEN, new OpenSession("node-a", pod, "runner", 0)));
    }

    private void deploy(Duration watchSilence) {
        done(bus.serve(
                LedgerAddresses.LOAD_NODE,
                load -> Future.succeededFuture(new LoadReply(load.pods().size(), 0))));
        deployVerticle(watchSilence);
    }

    private void deployVerticle(Duration watchSilence) {
        var config = meddler.config(watchSilence);
        client = KubernetesConnection.open(config, shell.meters());
        deploy(new ClusterVerticle(ClusterConfig.DEFAULTS, config, shell, client));
    }

    private void deploy(Deployable verticle) {
        done(vertx.deployVerticle(verticle));
    }

    /**
     * The current objects by the observations; fails if an observation was older than the one before, or came after the
     * end.
     */
    private HashMap<String, Long> asReported(long seed) {
        var there = new HashMap<String, Long>();
        var gone = new HashSet<String>();
        for (var observation : List.copyOf(observations)) {
            if (observation instanceof PodObserved observed) {
                assertThat(gone).as("seed %d", seed).doesNotContain(observed.uid());
                assertThat(observed.version())
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(there.getOrDefault(observed.uid(), 0L));
                there.put(observed.uid(), observed.version());
            } else if (observation instanceof PodGone end) {
                gone.add(end.uid());
                there.remove(end.uid());
            }
        }
        return there;
    }

    private boolean allWatch() {
        var states =
                shell.meters().find("autoscaling.plugin.watchers.alive.current").gauges();
        var all = new ArrayList<>(states);
        all.addAll(
                shell.meters().find("autoscaling.agent.watchers.alive.current").gauges());
        return all.size() == KINDS
                && all.stream().allMatch(alive -> alive.value() == 1)
                && shell.meters().find("autoscaling.plugin.watchers.failing.current").gauges().stream()
                        .allMatch(failing -> failing.value() == 0)
                && shell.meters().find("autoscaling.agent.watchers.failing.current").gauges().stream()
                        .allMatch(failing -> failing.value() == 0);
    }

    private boolean anyEnded(String end) {
        return !shell.meters()
                .find("sluice.cluster.watch.ends")
                .tag("end", end)
                .counters()
                .isEmpty();
    }

    private <T> List<T> received(Class<T> type) {
        return observations.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private VmObserved lastVm() {
        return received(VmObserved.class).getLast();
    }

    private List<String> podUids() {
        return received(PodObserved.class).stream().map(PodObserved::uid).toList();
    }

    private List<String> goneUids() {
        return received(PodGone.class).stream().map(PodGone::uid).distinct().toList();
    }
}
