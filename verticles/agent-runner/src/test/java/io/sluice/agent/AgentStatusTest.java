package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an agent publishes of its VMs: each status, and the dump of its whole state. */
@ExtendWith(VertxExtension.class)
class AgentStatusTest {
    private final Dumps dumps = new Dumps();
    private Surroundings world;
    private String deployment;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        world = new Surroundings(vertx);
        world.start(vertx).await();
        deployment = deploy(vertx);
    }

    private String deploy(Vertx vertx) throws Exception {
        var shell = new Shell(
                new MonotonicClock(),
                new SimpleMeterRegistry(),
                new SimpleMeterRegistry(),
                new Readiness(),
                dumps,
                new Random(1));
        return vertx.deployVerticle(new AgentVerticle(Surroundings.CONFIG, shell))
                .await();
    }

    @Test
    void reportsTheStatusOfAVmUntilItsEndAndThenThatItStopped() {
        var vm = scaledTo(6);
        var content = received(Waiting.NOTHING, status -> status.size().equals(cu(6)));
        assertThat(content.goal()).contains(cu(6));
        assertThat(content.permit()).contains(cu(6));
        assertThat(content.node()).isEqualTo("n1");
        assertThat(content.pod()).isEqualTo("uid-pod-a");
        assertThat(content.basis().goalCu()).isEqualTo(6);

        world.bus.publish(ClusterAddresses.VM_GONE, new VmGone(vm.vm(), 99));
        received(Waiting.STOPPED);
        assertThat(world.statuses)
                .filteredOn(status -> status.waiting() == Waiting.STOPPED)
                .hasSize(1);
        assertThat(world.statuses.getLast().waiting()).isEqualTo(Waiting.STOPPED);
    }

    @Test
    void reportsThatItWaitsForRoom() {
        world.ledger = request -> Surroundings.permit(request, request.target().min(cu(4)));
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(6));
        world.observe(vm);
        var denied = received(Waiting.ROOM);
        assertThat(denied.reason()).contains("cpu: requested 1500m, permitted 1000m: node n1 has 1000m of 10000m left");
        assertThat(denied.goal()).contains(cu(6));
        assertThat(denied.size()).isEqualTo(cu(4));
    }

    @Test
    void reportsThatItsMetricsAreOldAndWhyUntilTheyComeAgain() {
        scaledTo(4);
        world.failNext("scrape", Integer.MAX_VALUE);
        await().untilAsserted(() ->
                assertThat(world.statuses.getLast().reason()).contains("its metrics are ", " old: answered 503"));
        await().untilAsserted(() -> {
            var metrics = dump().getJsonObject("sluice").getJsonObject("metrics");
            assertThat(metrics.getBoolean("stale")).isTrue();
            assertThat(metrics.getString("trouble")).isEqualTo("answered 503");
            assertThat(metrics.getLong("ageMs")).isPositive();
        });
        received(Waiting.METRICS);

        world.failuresLeft.clear();
        received(Waiting.NOTHING, status -> status.reason().isEmpty());
        await().untilAsserted(
                        () -> assertThat(world.statuses.getLast().reason()).isEmpty());
        await().untilAsserted(() -> assertThat(
                        dump().getJsonObject("sluice").getJsonObject("metrics").getBoolean("stale"))
                .isFalse());
    }

    @Test
    void followsItsVmToAnotherNode() {
        var vm = scaledTo(4);
        world.observe(world.moved(vm, VmPhase.MIGRATING, "pod-a", "n1"));
        assertThat(received(Waiting.MIGRATION).size()).as("what was last known").isEqualTo(cu(4));
        assertThat(world.sessions()).hasSize(1);

        world.loads.put("a", loadFor(6));
        world.observe(world.moved(vm, VmPhase.RUNNING, "pod-b", "n2"));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(6)));
        assertThat(world.sessions()).extracting(OpenSession::pod).containsExactly("uid-pod-a", "uid-pod-b");
        assertThat(world.opened.getLast().node()).isEqualTo("n2");
        assertThat(world.opened.getLast().lastSession()).isZero();
        assertThat(world.patched.get(vm.vm()).podName()).isEqualTo("pod-b");
        assertThat(world.received).filteredOn("vm.claim"::equals).hasSize(2);
        received(Waiting.NOTHING, status -> status.node().equals("n2"));
    }

    @Test
    void goesOnAfterAMigrationThatFailed() {
        var vm = scaledTo(4);
        world.observe(world.moved(vm, VmPhase.MIGRATING, "pod-a", "n1"));
        received(Waiting.MIGRATION);
        world.loads.put("a", loadFor(6));
        world.observe(world.moved(vm, VmPhase.RUNNING, "pod-a", "n1"));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(6)));
        assertThat(world.opened.getLast().lastSession())
                .as("the session before it, of the same pod")
                .isEqualTo(1);
    }

    @Test
    void reportsThatAVmIsMovingThatItNeverScaled() {
        world.observe(world.moved(world.vm("a", 2), VmPhase.MIGRATING, "pod-a", "n1"));
        received(Waiting.MIGRATION);
        assertThat(world.opened).isEmpty();
    }

    @Test
    void reportsThatAllVmsStoppedWhenItGoesDown(Vertx vertx) throws Exception {
        scaledTo(4);
        vertx.undeploy(deployment).await();
        assertThat(received(Waiting.STOPPED).reason()).isEqualTo("its agent is shutting down");
        assertThat(dumps.parts()).isEmpty();
    }

    @Test
    void endsTheSpansOfItsResizesWhenItGoesDown(Vertx vertx) throws Exception {
        var spans = new CopyOnWriteArrayList<String>();
        vertx.undeploy(deployment).await();
        world.bus.traceWith(new WrittenTracer(spans));
        world.holdPatches();
        deployment = deploy(vertx);
        world.loads.put("a", loadFor(4));
        world.observe(world.vm("a", 2));
        await().until(() -> spans.contains("begin vm.resize/patch"));

        vertx.undeploy(deployment).await();

        assertThat(spans)
                .contains("vm.resize/patch unknown", "end vm.resize/patch")
                .last()
                .isEqualTo("end vm.resize");
        world.release();
    }

    @Test
    void letsEachVmsStateBeRead() throws Exception {
        scaledTo(6);
        received(Waiting.NOTHING, status -> status.size().equals(cu(6)));
        assertThat(dumps.parts().get("agent").keys().await()).containsExactly("default/a");
        // Metrics grow old while the machine has no time for a scrape: a later dump then shows them.
        await().ignoreExceptions().untilAsserted(() -> {
            var dump = dump();
            assertThat(dump.fieldNames()).containsExactly("podName", "status", "runner", "sluice", "collectionError");
            assertThat(dump.getJsonObject("podName").getString("name")).isEqualTo("pod-a");
            assertThat(dump.getJsonObject("sluice").getString("waiting")).isEqualTo("NOTHING");
            looksLikeThatOfAPod(dump.getJsonObject("status"));
            looksLikeThatOfACore(dump.getJsonObject("runner").getJsonObject("executorState"));
        });
    }

    private static void looksLikeThatOfAPod(JsonObject status) {
        assertThat(status.getString("state")).isEqualTo("ok");
        assertThat(status.getString("lastSuccessfulMonitorComm")).isNotEmpty();
        assertThat(status.getValue("endState")).isNull();
        var info = status.getJsonObject("vmInfo");
        assertThat(info.getJsonObject("cpu"))
                .isEqualTo(new JsonObject().put("min", "250m").put("max", 4).put("use", "1500m"));
        assertThat(info.getJsonObject("mem").getString("slotSize")).isEqualTo("128Mi");
        assertThat(info.getJsonObject("mem").getInteger("use")).isEqualTo(48);
    }

    private static void looksLikeThatOfACore(JsonObject core) {
        assertThat(core.fieldNames())
                .containsExactly(
                        "Config",
                        "Debug",
                        "VM",
                        "Plugin",
                        "Monitor",
                        "NeonVM",
                        "Metrics",
                        "LFCMetrics",
                        "TargetRevision",
                        "LastDesiredResources");
        assertThat(core.getJsonObject("Config").getLong("PluginRequestTick"))
                .as("in nanoseconds, less its jitter")
                .isBetween(990_000_000L, 1_000_000_000L);
        assertThat(core.getJsonObject("Plugin").getJsonObject("Permit"))
                .isEqualTo(new JsonObject().put("vCPUs", "1500m").put("mem", "6Gi"));
        assertThat(core.getJsonObject("Plugin").getJsonObject("LastRequest").getString("At"))
                .isNotEmpty();
        assertThat(core.getJsonObject("Monitor").getJsonObject("Approved").getString("mem"))
                .isEqualTo("6Gi");
        assertThat(core.getJsonObject("Metrics").getDouble("LoadAverage1Min")).isEqualTo(loadFor(6));
    }

    private JsonObject dump() throws Exception {
        return new JsonObject(dumps.parts().get("agent").read("default/a").await());
    }

    @Test
    void readsNullForAVmThatIsGone() throws Exception {
        assertThat(dumps.parts().get("agent").read("default/nobody").await()).isEqualTo("null");
    }

    @Test
    void reportsAVmBeforeItsRunnerHasBegun() throws Exception {
        world.observe(world.moved(world.vm("a", 2), VmPhase.PENDING, "pod-a", "n1"));
        var source = dumps.parts().get("agent");
        await().untilAsserted(() -> assertThat(source.keys().await()).hasSize(1));
        var dump = new JsonObject(source.read("default/a").await());
        assertThat(dump.getValue("runner")).isNull();
        assertThat(dump.getJsonObject("sluice").getString("reason")).isEqualTo("the VM is PENDING");
    }

    private VmObserved scaledTo(int cu) {
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(cu));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(cu)));
        return vm;
    }

    private RunnerStatus received(Waiting waiting) {
        return received(waiting, status -> true);
    }

    /** The last status of that kind; other statuses before or after it, as on a slow machine, do not matter. */
    private RunnerStatus received(Waiting waiting, Predicate<RunnerStatus> condition) {
        return await().until(
                        () -> world.statuses.reversed().stream()
                                .filter(status -> status.waiting() == waiting && condition.test(status))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }
}
