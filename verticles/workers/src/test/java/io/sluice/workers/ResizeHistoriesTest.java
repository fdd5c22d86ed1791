package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.LedgerStandIn.Fate;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.UpdateStrategy;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.v1.Capacity;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.InstanceState;
import io.sluice.workers.v1.OrderAck;
import io.sluice.workers.v1.ResizeAsk;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: whatever is lost between this role and the ledger, the ledger reserves what an instance was granted, at all
 * times no less and in the end no more.
 */
@ExtendWith(VertxExtension.class)
class ResizeHistoriesTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final long MEMORY = 1L << 30;

    private final Map<String, PodObserved> pending = new ConcurrentHashMap<>();
    private Bus bus;
    private LedgerStandIn ledger;
    private WorkersVerticle verticle;
    private ControlClient control;
    private GrpcClient client;
    private WorkerClient worker;

    @BeforeEach
    void start(Vertx vertx) {
        bus = new Bus(vertx);
        ledger = new LedgerStandIn(bus, 4_000);
        bus.subscribe(ClusterAddresses.POD_PENDING, (PodObserved pod) -> pending.put(pod.name(), pod))
                .await();
        var shell = new Shell(InstantSource.system(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        verticle = new WorkersVerticle(config(), shell, UnreliableStore::new);
        vertx.deployVerticle(verticle).await();
        control = new ControlClient(vertx, WorkerClient.LOOPBACK, verticle.controlPort(), WorkersTls.NONE);
        client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
        connect(0);
    }

    private static WorkersConfig config() {
        var defaults = WorkersConfig.DEFAULTS;
        return new WorkersConfig(
                defaults.host(),
                0,
                0,
                defaults.tls(),
                defaults.store(),
                defaults.heartbeat(),
                Duration.ofMinutes(2),
                defaults.lostAfter(),
                defaults.selfFence(),
                defaults.stopGrace(),
                Duration.ofMinutes(2),
                defaults.startTimeout(),
                defaults.recoveryWindow(),
                0,
                2,
                10,
                defaults.controlHost(),
                defaults.enrolment(),
                defaults.rik(),
                defaults.kubernetes());
    }

    /** The worker registers, having taken the orders up to that number. */
    private void connect(long lastOrder, InstanceReport... inventory) {
        worker = new WorkerClient(client, verticle.port());
        var hello = Hello.newBuilder()
                .setWorkerId("w1")
                .setBootEpoch(1)
                .addRuntimes("Process")
                .setSupportsResize(true)
                .setLastOrderSeq(lastOrder)
                .setCapacity(Capacity.newBuilder().addAllTotal(WireForm.resources(new Resources(4_000, 8 * MEMORY))));
        for (var item : inventory) {
            hello.addInventory(item);
        }
        worker.send(WorkerFrame.newBuilder().setHello(hello)).awaits(SchedulerFrame.FCase.WELCOME);
    }

    /** Starts an instance of that size on the worker; returns its name in the ledger. */
    private String run(String id, long milliCpu) {
        control.call(
                        GrpcMethods.SUBMIT,
                        WorkloadSpec.newBuilder()
                                .setInstanceId(id)
                                .setDefinition("{\"kind\":\"Process\"}")
                                .addAllRequests(WireForm.resources(new Resources(milliCpu, MEMORY)))
                                .build())
                .await();
        await().atMost(WITHIN).until(() -> pending.containsKey(id) && isBound(pending.get(id)));
        start(id);
        var uid = pending.get(id).uid();
        await().atMost(WITHIN).until(() -> ledger.reserved(uid) == milliCpu);
        return uid;
    }

    private boolean isBound(PodObserved pod) {
        var bind = new BindPod(pod.uid(), WorkerNames.NAMESPACE, pod.name(), WorkerNames.node("w1"), pod.version());
        return bus.request(WorkerAddresses.BIND, bind).await() instanceof PodBinding.Bound;
    }

    private void start(String id) {
        var order = order(SchedulerFrame.FCase.ASSIGN);
        acknowledge(order);
        worker.send(WorkerFrame.newBuilder()
                .setReport(report(id, order.getAssign().getGeneration(), InstanceState.RUNNING)));
        await().atMost(WITHIN).until(() -> shown(id).getState().equals("RUNNING"));
    }

    private static InstanceReport report(String id, long generation, InstanceState state) {
        return InstanceReport.newBuilder()
                .setInstanceId(id)
                .setGeneration(generation)
                .setState(state)
                .build();
    }

    /** The next order of that kind. */
    private SchedulerFrame order(SchedulerFrame.FCase kind) {
        await().atMost(WITHIN).until(() -> worker.frames.stream().anyMatch(frame -> frame.getFCase() == kind));
        var found = worker.frames.stream()
                .filter(frame -> frame.getFCase() == kind)
                .findFirst()
                .orElseThrow();
        worker.frames.remove(found);
        return found;
    }

    private void acknowledge(SchedulerFrame order) {
        worker.send(WorkerFrame.newBuilder()
                .setAck(OrderAck.newBuilder().setSeq(order.getSeq()).setAccepted(true)));
    }

    private Future<SubmitResult> update(String id, long milliCpu) {
        return update(id, milliCpu, UpdateStrategy.IN_PLACE);
    }

    private Future<SubmitResult> update(String id, long milliCpu, UpdateStrategy strategy) {
        return control.call(
                GrpcMethods.UPDATE,
                UpdateRequest.newBuilder()
                        .setInstanceId(id)
                        .addAllRequests(WireForm.resources(new Resources(milliCpu, MEMORY)))
                        .setStrategy(strategy)
                        .build());
    }

    private void reserves(String uid, long milliCpu) {
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(ledger.reserved(uid)).isEqualTo(milliCpu));
    }

    private Instance shown(String id) {
        return control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance()).await().getInstancesList().stream()
                .filter(instance -> instance.getInstanceId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private long granted(String id) {
        return WireForm.amounts(shown(id).getGrantList()).milliCpu();
    }

    private void coversWhatIsGranted(String id, String uid) {
        assertThat(ledger.reserved(uid)).isGreaterThanOrEqualTo(granted(id));
    }

    private void met() {
        await().atMost(WITHIN).until(ledger::isMet);
    }

    @Test
    void aGiveBackThatFailsNeverLowersAnInstanceThatHasGrownSince() {
        var uid = run("a", 2_000);
        update("a", 2_500).await();
        coversWhatIsGranted("a", uid);
        ledger.next(Fate.OVERTAKEN);
        acknowledge(order(SchedulerFrame.FCase.RESIZE));
        met();

        update("a", 4_000).await();
        coversWhatIsGranted("a", uid);
        ledger.watch(uid);
        // Its retry is later than that of the first one.
        ledger.next(Fate.UNANSWERED);
        acknowledge(order(SchedulerFrame.FCase.RESIZE));
        met();
        long before = ledger.requests(4_000);
        await().atMost(WITHIN).until(() -> ledger.requests(4_000) > before);
        assertThat(ledger.lowest()).isEqualTo(4_000);
        assertThat(granted("a")).isEqualTo(4_000);
    }

    @Test
    void aGrowthIsGivenBackIfTheReplyIsLost() {
        var uid = run("a", 2_000);
        ledger.watch(uid);
        ledger.next(Fate.UNANSWERED, Fate.LOST);
        assertThatThrownBy(() -> update("a", 4_000).await()).hasMessageContaining("UNAVAILABLE");
        assertThat(ledger.reserved(uid)).isEqualTo(4_000);
        reserves(uid, 2_000);
        coversWhatIsGranted("a", uid);
        assertThat(ledger.lowest()).isEqualTo(2_000);

        update("a", 3_000).await();
        assertThat(ledger.reserved(uid)).isEqualTo(3_000);
    }

    @Test
    void whatIsGrantedOfTooMuchIsGivenBackThoughTheFirstRequestIsLost() {
        run("b", 1_500);
        var uid = run("a", 1_000);
        ledger.watch(uid);
        ledger.next(Fate.ANSWERED, Fate.LOST);
        assertThatThrownBy(() -> update("a", 4_000).await())
                .hasMessageContaining("RESOURCE_EXHAUSTED")
                .hasMessageContaining("1500m");
        met();
        reserves(uid, 1_000);
        coversWhatIsGranted("a", uid);
        assertThat(ledger.lowest()).isEqualTo(1_000);
    }

    @Test
    void aGrowthOfAnInstanceThatHasChangedMeanwhileIsGivenBack() {
        var uid = run("a", 2_000);
        ledger.next(Fate.ANSWERED_LATER);
        var refused = update("a", 3_000);
        met();
        update("a", 2_000, UpdateStrategy.RECREATE).await();
        var stop = order(SchedulerFrame.FCase.STOP);
        ledger.answer();
        assertThatThrownBy(refused::await).isInstanceOf(ControlClient.Refused.class);
        coversWhatIsGranted("a", uid);
        acknowledge(stop);
        worker.send(WorkerFrame.newBuilder()
                .setReport(report("a", stop.getStop().getGeneration(), InstanceState.TERMINATED)));
        start("a");
        reserves(uid, 2_000);
        assertThat(granted("a")).isEqualTo(2_000);
    }

    @Test
    void whatAWorkerRequestsIsGivenBackIfTheReplyIsLost() {
        var uid = run("a", 2_000);
        ledger.watch(uid);
        ledger.next(Fate.UNANSWERED);
        worker.send(WorkerFrame.newBuilder()
                .setResize(ResizeAsk.newBuilder()
                        .setInstanceId("a")
                        .addAllWant(WireForm.resources(new Resources(3_000, MEMORY)))));
        await().atMost(WITHIN).until(() -> ledger.highest() == 3_000);
        reserves(uid, 2_000);
        coversWhatIsGranted("a", uid);
    }

    @Test
    void aDecreaseIsGivenBackOnceItIsAppliedThoughItsAcknowledgementIsLost() {
        var uid = run("a", 1_000);
        update("a", 3_000).await();
        acknowledge(order(SchedulerFrame.FCase.RESIZE));
        await().atMost(WITHIN).until(() -> ledger.requests(3_000) == 2);
        ledger.watch(uid);

        update("a", 2_000).await();
        var order = order(SchedulerFrame.FCase.RESIZE);
        assertThat(ledger.lowest()).as("the worker has not applied it yet").isEqualTo(3_000);
        worker.request.cancel();
        await().atMost(WITHIN).until(() -> shown("a").getState().equals("UNKNOWN"));
        connect(order.getSeq(), report("a", order.getResize().getGeneration(), InstanceState.RUNNING));
        reserves(uid, 2_000);
        coversWhatIsGranted("a", uid);
    }

    @Test
    void eachOfManyRequestsAtOnceIsDecidedAfterTheOneBefore() {
        var uid = run("a", 1_000);
        ledger.watch(uid);
        var first = update("a", 2_000);
        var second = update("a", 3_000);
        Future.join(first, second).transform(ended -> Future.succeededFuture()).await();
        assertThat(first.succeeded() || second.succeeded()).isTrue();
        reserves(uid, granted("a"));
        assertThat(ledger.lowest()).isEqualTo(1_000);
    }

    @Test
    void aDecreaseThatIsRefusedFreesNothingUntilTheInstanceHasEnded() {
        var other = run("b", 500);
        var uid = run("a", 3_000);
        ledger.watch(uid);
        update("a", 1_000).await();
        var resize = order(SchedulerFrame.FCase.RESIZE);
        observeAll(uid);
        assertThat(ledger.lowest()).as("the worker has not applied it yet").isEqualTo(3_000);

        worker.send(WorkerFrame.newBuilder()
                .setAck(OrderAck.newBuilder().setSeq(resize.getSeq()).setReason("its limits could not be changed")));
        var stop = order(SchedulerFrame.FCase.STOP);
        acknowledge(stop);
        observeAll(uid);
        // As long as that takes, it would have been given back too.
        ledger.next(Fate.UNANSWERED);
        assertThatThrownBy(() -> update("b", 800).await()).hasMessageContaining("UNAVAILABLE");
        reserves(other, 500);
        assertThat(ledger.lowest()).as("it still runs").isEqualTo(3_000);

        worker.send(WorkerFrame.newBuilder()
                .setReport(report("a", stop.getStop().getGeneration(), InstanceState.TERMINATED)));
        reserves(uid, 0);
        await().atMost(WITHIN).until(() -> pending.get("a").uid().equals(WorkerNames.uid("a", 3)));
    }

    /** Every instance is observed anew, and in a full list. */
    private void observeAll(String uid) {
        long before = ledger.observations(uid);
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(RelistRequest.BUS));
        await().atMost(WITHIN).until(() -> ledger.observations(uid) >= before + 2);
    }
}
