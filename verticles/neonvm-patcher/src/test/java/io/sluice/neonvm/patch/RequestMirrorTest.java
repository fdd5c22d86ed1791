package io.sluice.neonvm.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One runner pod at an API server with scripted answers, and a ledger that charges for it. */
@ExtendWith(VertxExtension.class)
class RequestMirrorTest {
    private static final String GONE = "gone";
    private static final Resources CHARGE = new Resources(2_000, 8L << 30);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger clockReads = new AtomicInteger();
    private final AtomicInteger snapshots = new AtomicInteger();
    private final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();
    private final List<String> resized = new CopyOnWriteArrayList<>();
    private volatile String qosClass = "Burstable";
    private volatile Optional<String> pending = Optional.empty();
    private volatile JsonObject requests = quantities("100m", "100Mi");
    private volatile NodeLedgerView ledger = ledger(CHARGE, true, false);
    private volatile boolean isServed = true;
    private ScriptedApi api;
    private Bus bus;

    @BeforeEach
    void start(Vertx vertx) {
        api = new ScriptedApi(vertx, Duration.ofSeconds(10), this::answer);
        bus = new Bus(vertx);
        bus.serve(LedgerAddresses.SNAPSHOT, request -> {
                    snapshots.incrementAndGet();
                    return isServed
                            ? Future.succeededFuture(new Snapshot(List.of(ledger)))
                            : Future.failedFuture("no ledger serves");
                })
                .await();
        var shell = new Shell(this::time, api.meters, new Readiness(), new Random(1));
        api.onContext(client -> new RequestMirror(client, shell).start(vertx, bus))
                .await();
    }

    private Instant time() {
        clockReads.incrementAndGet();
        return Instant.ofEpochMilli(now.get());
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void requestsFollowTheChargeUpAndDown() {
        publish();
        awaitState("follows");
        assertThat(requests).isEqualTo(quantities("2", "8Gi"));

        ledger = ledger(new Resources(250, 1L << 30), true, false);
        publish();
        await().until(() -> requests.equals(quantities("250m", "1Gi")));
        awaitState("follows");

        assertThat(count("resized")).isEqualTo(2);
        assertThat(resized).hasSize(2);
    }

    @Test
    void aLedgerThatDoesNotReplyIsReadAgainAfterAPause() {
        isServed = false;
        publish();
        await().until(() -> snapshots.get() == 1);
        int looks = clockReads.get();
        await().until(() -> clockReads.get() > looks + 20);
        assertThat(snapshots).hasValue(1);

        isServed = true;
        now.addAndGet(1_000);
        awaitState("follows");
        assertThat(snapshots).hasValue(2);
    }

    @Test
    void whatIsWrittenAlreadyIsOnlyRead() {
        requests = quantities("2", "8192Mi");

        publish();

        awaitState("follows");
        assertThat(resized).isEmpty();
    }

    @Test
    void aConflictAndFailuresAreFollowedByAnotherReading() {
        refusals.addAll(List.of(409, 500, 422));

        publish();

        awaitState("follows");
        assertThat(resized).hasSize(4);
        assertThat(List.of(count("conflict"), count("failed"), count("refused"), count("resized")))
                .containsOnly(1.0);
    }

    @Test
    void aPodThatGoesBeforeItsResizeIsNotTriedAgain() {
        refusals.add(404);

        publish();

        awaitState("ended");
        assertThat(resized).hasSize(1);
    }

    @Test
    void aPodOfAnotherQosClassIsLeftAlone() {
        qosClass = "Guaranteed";

        publish();

        awaitState("excluded");
        assertThat(resized).isEmpty();
    }

    @Test
    void whatANodeDefersIsShownUntilItAccepts() {
        pending = Optional.of("Deferred");
        publish();
        awaitState("deferred");

        pending = Optional.empty();

        awaitState("follows");
        assertThat(resized).hasSize(1);
    }

    @Test
    void anIncompleteNodeAndAHoldChangeNothing() {
        ledger = ledger(CHARGE, true, true);
        publish();
        await().until(() -> snapshots.get() == 1);
        ledger = ledger(CHARGE, false, false);
        publish();
        await().until(() -> snapshots.get() == 2);
        // The next is requested once the last was taken.
        publish();
        await().until(() -> snapshots.get() == 3);
        assertThat(states()).isZero();

        ledger = ledger(CHARGE, true, false);
        publish();

        awaitState("follows");
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", 7));
        await().until(() -> states() == 0);
    }

    private void publish() {
        bus.publish(LedgerAddresses.NODE_CHANGED, ledger);
    }

    /** Time passes until the pod is in that state. */
    private void awaitState(String state) {
        await().until(() -> {
            now.addAndGet(60_000);
            return api.meters
                            .get("sluice.vm.mirrored.pods")
                            .tag("state", state)
                            .gauge()
                            .value()
                    == 1;
        });
    }

    private double states() {
        return api.meters.get("sluice.vm.mirrored.pods").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    private double count(String outcome) {
        return api.meters
                .get("sluice.vm.resizes")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private void answer(HttpServerRequest request) {
        if (request.method() == HttpMethod.GET) {
            request.response().setStatusCode(qosClass.equals(GONE) ? 404 : 200).end(pod().encode());
            return;
        }
        request.body().onSuccess(body -> {
            resized.add(request.path());
            var refusal = Optional.ofNullable(refusals.poll());
            if (refusal.equals(Optional.of(404))) {
                qosClass = GONE;
            } else if (refusal.isEmpty()) {
                requests = body.toJsonArray().getJsonObject(2).getJsonObject("value");
            }
            request.response().setStatusCode(refusal.orElse(200)).end(pod().encode());
        });
    }

    private JsonObject pod() {
        var container = new JsonObject()
                .put("name", "neonvm-runner")
                .put("resources", new JsonObject().put("requests", requests));
        var conditions = new JsonArray();
        pending.ifPresent(reason ->
                conditions.add(new JsonObject().put("type", "PodResizePending").put("reason", reason)));
        return new JsonObject()
                .put(
                        "metadata",
                        new JsonObject()
                                .put("uid", "u1")
                                .put("annotations", new JsonObject().put("vm.neon.tech/usage", """
                                    {"cpu":2,"memory":"8Gi"}\
                                    """)))
                .put("spec", new JsonObject().put("nodeName", "n1").put("containers", new JsonArray().add(container)))
                .put("status", new JsonObject().put("qosClass", qosClass).put("conditions", conditions));
    }

    private static JsonObject quantities(String cpu, String memory) {
        return new JsonObject().put("cpu", cpu).put("memory", memory);
    }

    private static NodeLedgerView ledger(Resources charge, boolean complete, boolean held) {
        var none = Resources.NONE;
        var traits = new ReservationTraits(
                charge, new Overcommit(2_000, 1_000), none, Optional.empty(), 0, true, true, false, held, false);
        var reserved = new Resources(2 * charge.milliCpu(), charge.memoryBytes());
        var vm = new ReservationView(
                "u1",
                "default",
                "db-0",
                "db",
                reserved,
                reserved,
                none,
                none,
                reserved,
                false,
                AgentContact.REQUESTED,
                1,
                1,
                traits);
        var other = new ReservationView(
                "u2",
                "default",
                "web",
                "",
                charge,
                charge,
                none,
                none,
                charge,
                false,
                AgentContact.REQUESTED,
                0,
                0,
                ReservationTraits.NONE);
        return new NodeLedgerView(
                "n1", complete, none, none, none, none, none, none, none, none, none, false, 0, List.of(vm, other));
    }
}
