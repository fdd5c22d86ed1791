package io.sluice.kube.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.Meddler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever becomes of Bindings and of their answers, no pod is bound twice, no node takes more than it has, no
 * room stays held for good, and pods that wait are placed. Method: a process of the distribution places pods, called by
 * a real kube-scheduler or as a scheduler of its own. A proxy keeps answers back; the API server is stopped, and killed
 * and started again, the moment a Binding arrives.
 */
@OnKubernetes
@DisplayName("F12: no pod is bound twice or beyond a total, whatever becomes of Bindings")
class BindFaultsOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofMinutes(4);
    private static final Duration SILENT = Duration.ofSeconds(90);
    private static final Duration WATCH_SILENCE = Duration.ofSeconds(15);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    /** The client's own work needs the common pool. */
    private static final Executor ASIDE = Thread::startVirtualThread;

    private static final String SCHEDULER = "sluice";
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Predicate<String> BINDINGS = uri -> uri.endsWith("/binding");
    private static final Predicate<String> OBSERVATIONS_OF_PODS = uri -> uri.startsWith("/api/v1/pods?");

    /** What places pods. */
    enum Way {
        EXTENDER,
        OWN_SCHEDULER
    }

    @TempDir
    private Path folder;

    private final List<AutoCloseable> running = new ArrayList<>();
    private ControlPlane plane;
    private RawApi raw;
    private Meddler meddler;
    private SchedulerProcess sluice;

    @BeforeEach
    void startServer() {
        plane = ControlPlane.audited(folder);
        running.add(plane);
        KubernetesClient client = KubernetesConnection.open(plane.admin());
        running.add(client);
        raw = new RawApi(client);
        meddler = new Meddler(plane.admin());
        running.add(meddler);
    }

    private void start(Way way) throws IOException {
        var access = meddler.config(WATCH_SILENCE);
        sluice = way == Way.EXTENDER
                ? SchedulerProcess.extending(folder, access, "127.0.0.2")
                : SchedulerProcess.placing(
                        folder, access, "127.0.0.2", new JsonObject().put("schedulerName", SCHEDULER));
        running.add(sluice);
        within().until(sluice::isReady);
        if (way == Way.EXTENDER) {
            var own = Files.createDirectory(folder.resolve("kube-scheduler"));
            running.add(KubeScheduler.extended(plane.admin(), own, SCHEDULER, sluice.extender(), "{}"));
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (var each : running.reversed()) {
            each.close();
        }
    }

    /** Each of four nodes has room for four pods, so two of 18 wait. */
    @ParameterizedTest
    @EnumSource
    void anApiServerThatIsLateAndAwayTakesNoPromiseWithIt(Way way) throws IOException {
        start(way);
        IntStream.range(0, 4).forEach(each -> node("node-" + each));

        meddler.withholdReplies(BINDINGS);
        pods("late", 4);
        within().until(() -> bound().size() == 4);
        meddler.heal();

        meddler.before(BINDINGS, plane::freezeApiServer);
        double before = inDoubt();
        var created = CompletableFuture.runAsync(() -> pods("frozen", 6), ASIDE);
        within().until(() -> inDoubt() > before);
        plane.thawApiServer();
        created.join();
        within().until(() -> bound().size() == 10);

        var killed = new CompletableFuture<Void>();
        meddler.before(BINDINGS, () -> {
            plane.killApiServer();
            killed.complete(null);
        });
        created = CompletableFuture.runAsync(() -> pods("killed", 8), ASIDE);
        within().until(killed::isDone);
        plane.startApiServer();
        created.join();
        within().until(() -> bound().size() == 16);

        within().untilAsserted(() -> {
            assertThat(sluice.held()).isEmpty();
            assertThat(sluice.reservedOn())
                    .isEqualTo(bound().entrySet().stream()
                            .map(pod -> pod.getKey() + " on " + pod.getValue())
                            .sorted()
                            .toList());
        });
        assertThat(bound().values().stream().collect(Collectors.groupingBy(node -> node, Collectors.counting())))
                .hasSize(4)
                .allSatisfy((node, pods) -> assertThat(pods).isEqualTo(4));
        assertThat(new AuditLog(plane.auditLog()).bound()).doesNotHaveDuplicates();
    }

    /** Of two pods, the node has room for one. */
    @Test
    void theRoomOfABindWithoutAnAnswerStaysHeldWhileTheWatchIsSilent() throws IOException {
        start(Way.EXTENDER);
        pod("one", 3_000);
        pod("other", 3_000);
        within().until(() -> sluice.ops("/metrics").contains("sluice_placement_pods_pending 2.0"));
        meddler.withholdReplies(BINDINGS);
        meddler.before(BINDINGS, () -> meddler.stall(OBSERVATIONS_OF_PODS));

        node("node-0");
        within().until(() -> !bound().isEmpty());
        var first = bound().keySet();

        await().pollInterval(LOOK_EVERY)
                .during(SILENT)
                .atMost(SILENT.plus(WITHIN))
                .until(() -> bound().keySet().equals(first)
                        && first.containsAll(sluice.held())
                        && sluice.held().size() == 1);
        meddler.heal();

        within().untilAsserted(() -> {
            assertThat(sluice.held()).isEmpty();
            assertThat(sluice.reservedOn()).containsExactly(first.iterator().next() + " on node-0");
        });
        assertThat(bound().keySet()).isEqualTo(first);
        raw.delete(PODS + "/" + first.iterator().next() + "?gracePeriodSeconds=0", "");
        within().until(() -> bound().size() == 1 && !bound().keySet().equals(first));
    }

    private static ConditionFactory within() {
        return await().atMost(WITHIN).pollInterval(LOOK_EVERY).ignoreExceptions();
    }

    /** Of both entrances. */
    private double inDoubt() {
        return sluice.ops("/metrics")
                .lines()
                .filter(line -> line.startsWith("sluice_placement_attempts_total{outcome=\"in_doubt\"}")
                        || line.startsWith("sluice_scheduler_attempts_total{outcome=\"in_doubt\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The node of each pod that is bound. */
    private Map<String, String> bound() {
        return raw.get(PODS)
                .body()
                .path("items")
                .valueStream()
                .filter(pod -> pod.path("spec").has("nodeName"))
                .collect(Collectors.toMap(
                        pod -> pod.at("/metadata/name").asText(),
                        pod -> pod.at("/spec/nodeName").asText()));
    }

    private void pods(String name, int count) {
        IntStream.range(0, count).forEach(each -> pod(name + "-" + each, 900));
    }

    private void pod(String name, int milliCpu) {
        create(PODS, """
            {"metadata":{"name":"%s"},"spec":{"schedulerName":"%s","containers":[{"name":"main","image":"none",
               "resources":{"requests":{"cpu":"%dm","memory":"1Mi"}}}]}}\
            """.formatted(name, SCHEDULER, milliCpu));
    }

    private void node(String name) {
        create(NODES, """
            {"metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
             "status":{"allocatable":{"cpu":"4","memory":"16Gi","pods":"110"},
               "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name));
    }

    /** Until it exists: a request while the API server is away may have had its effect. */
    private void create(String path, String object) {
        within().until(() -> raw.post(path, object), made -> List.of(201, 409).contains(made.status()));
    }
}
