package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.body;
import static io.sluice.gateway.ListenerFixture.limits;
import static io.sluice.gateway.ListenerFixture.until;
import static io.sluice.gateway.ListenerFixture.untilInTime;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.PodObservations;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class AgentApiTest {
    private ListenerFixture listener;

    @BeforeEach
    void open(Vertx vertx) {
        listener = new ListenerFixture(vertx);
    }

    @Test
    void givesTheSamePermitAsTheBus() throws Exception {
        listener.listed();
        var overBus = listener.bus
                .request(
                        LedgerAddresses.PERMIT,
                        new PermitRequest(
                                "n1",
                                "pod-a",
                                "over the bus",
                                1,
                                1,
                                PodObservations.UNIT,
                                PodObservations.UNIT.times(99),
                                Optional.of(PodObservations.UNIT),
                                Optional.of(0.42f)))
                .await();
        assertThat(((PermitReply.Ruled) overBus).permit()).isEqualTo(PodObservations.UNIT.times(8));

        var overHttp = listener.post(body("a-0", 99, ""));

        assertThat(overHttp.statusCode()).isEqualTo(200);
        assertThat(overHttp.headers().firstValue("content-type")).contains("application/json");
        assertThat(overHttp.body()).isEqualTo("{\"permit\":{\"vCPUs\":2,\"mem\":\"8Gi\"}}");
        assertThat(listener.ledger.requests).hasSize(2);
        assertThat(listener.ledger.requests.get(1))
                .usingRecursiveComparison()
                .ignoringFields("runner")
                .isEqualTo(listener.ledger.requests.get(0));
    }

    @Test
    void opensOneSessionForAnAgentThatUsesNone() throws Exception {
        listener.listed();
        listener.post(body("a-0", 2, ""));
        listener.post(body("a-0", 3, ""));
        listener.post(body("b-0", 2, ""));
        assertThat(listener.ledger.openings).extracting(OpenSession::pod).containsExactly("pod-a", "pod-b");
        assertThat(listener.ledger.requests).extracting(PermitRequest::session).containsExactly(1L, 1L, 2L);
        assertThat(listener.ledger.requests).extracting(PermitRequest::seq).containsExactly(1L, 2L, 1L);
    }

    @Test
    void passesSessionsThrough() throws Exception {
        listener.listed();
        var opened = listener.post(body("a-0", 2, ",\"runner\":\"r1\",\"lastSession\":6"));
        assertThat(opened.body()).isEqualTo("{\"permit\":{\"vCPUs\":2,\"mem\":\"8Gi\"},\"session\":1,\"validFor\":0}");
        assertThat(listener.ledger.openings).containsExactly(new OpenSession("n1", "pod-a", "r1", 6));
        assertThat(listener.ledger.requests).isEmpty();

        var requested = listener.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(requested.body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"},\"session\":1,\"validFor\":10}");
        assertThat(listener.ledger.requests.getFirst().seq()).isEqualTo(4);
        assertThat(listener.ledger.openings).hasSize(1);
    }

    @Test
    void reportsThatAVmMoves() throws Exception {
        listener.listed();
        listener.ledger.answerRequests(request -> Future.succeededFuture(listener.ledger.ruled(request, true)));
        assertThat(listener.post(body("a-0", 1, "")).body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"migrate\":{}}");
    }

    @Test
    void passesOnWhatTheLedgerRefuses() throws Exception {
        listener.listed();
        expect(new PermitReply.Superseded(9, "A"), 409, "superseded");
        expect(new PermitReply.OpenAgain(0), 409, "open again");
        expect(new PermitReply.SeqReused(4), 400, "seq 4 of this session was used for another request");
        var notReady = new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(1));
        expect(notReady, 503, "the ledger has no full list of the node's pods yet");
        listener.ledger.answerRequests(request -> Future.failedFuture("broken"));
        var lost = listener.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(lost.statusCode()).isEqualTo(503);
        assertThat(lost.headers().firstValue("retry-after")).contains("1");
    }

    private void expect(PermitReply reply, int status, String sentence) throws Exception {
        listener.ledger.answerRequests(request -> Future.succeededFuture(reply));
        var answer = listener.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(sentence);
        assertThat(answer.headers().firstValue("content-type")).contains("text/plain");
        assertThat(answer.headers().firstValue("retry-after").isPresent()).isEqualTo(status == 503);
    }

    @Test
    void reportsToAnAgentWithoutSessionsWhenToComeBack() throws Exception {
        listener.listed();
        listener.ledger.answerOpenings(opening ->
                Future.succeededFuture(new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofMillis(1500))));
        var answer = listener.post(body("a-0", 2, ""));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).contains("2");
        assertThat(listener.ledger.requests).isEmpty();
    }

    @Test
    void staysAsideOnceSuperseded() throws Exception {
        listener.listed();
        listener.ledger.answerRequests(request -> Future.succeededFuture(new PermitReply.Superseded(9, "A")));
        assertThat(listener.post(body("a-0", 2, "")).statusCode()).isEqualTo(409);
        var again = listener.post(body("a-0", 2, ""));
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.headers().firstValue("retry-after")).isPresent();
        assertThat(listener.ledger.openings).hasSize(1);
        assertThat(listener.ledger.requests).hasSize(1);
    }

    @Test
    void isNotReadyBeforeTheFirstFullList() throws Exception {
        assertThat(listener.shell.readiness().reasons()).containsKey("gateway");
        var early = listener.post(body("a-0", 2, ""));
        assertThat(early.statusCode()).isEqualTo(503);
        assertThat(early.headers().firstValue("retry-after")).contains("1");
        listener.listed();
        assertThat(listener.shell.readiness().isReady()).isTrue();
        assertThat(listener.post(body("nobody", 2, "")).statusCode()).isEqualTo(404);
    }

    @Test
    void forgetsAPodThatIsGone() throws Exception {
        listener.listed();
        assertThat(listener.post(body("a-0", 2, "")).statusCode()).isEqualTo(200);
        listener.bus.publish(ClusterAddresses.POD_GONE, new PodGone("pod-a", "n1", 2));
        until(() -> listener.post(body("a-0", 2, "")).statusCode() == 404);
    }

    @Test
    void requestsEveryObservationWhenItStarts(VertxTestContext context) {
        listener.bus
                .subscribe(
                        ClusterAddresses.RELIST_WANTED,
                        request -> context.verify(() -> {
                            assertThat(request.by()).isEqualTo("gateway");
                            context.completeNow();
                        }))
                .await();
        var second = new GatewayVerticle(ListenerFixture.with(ListenerFixture.limits(1, 1, 1)), listener.shell);
        listener.vertx.deployVerticle(second).await();
    }

    @Test
    void keepsOneRequestOfAPodInFlightAndOthersGoOn() {
        untilInTime(limits(1_000_000, 1_000_000, 512), AgentApiTest::othersGoOnWhileOneIsHeld);
    }

    private static boolean othersGoOnWhileOneIsHeld(ListenerFixture listener) throws Exception {
        var first = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request -> request.pod().equals("pod-a") && request.seq() == 1
                ? first.future()
                : Future.succeededFuture(listener.ledger.ruled(request, false)));
        var slow = listener.posting(body("a-0", 2, ""));
        until(() -> listener.ledger.requests.size() == 1);
        var behind = listener.posting(body("a-0", 1, ""));
        assertThat(listener.post(body("b-0", 2, "")).statusCode()).isEqualTo(200);
        var meanwhile = List.copyOf(listener.ledger.requests);
        first.complete(listener.ledger.ruled(listener.ledger.requests.getFirst(), false));
        if (slow.get().statusCode() == 503) {
            return false;
        }
        assertThat(meanwhile).extracting(PermitRequest::pod).containsExactly("pod-a", "pod-b");
        assertThat(slow.get().body()).contains("500m");
        assertThat(behind.get().body()).contains("250m");
        assertThat(listener.ledger.requests).extracting(PermitRequest::seq).containsExactly(1L, 1L, 2L);
        return true;
    }

    @Test
    void reportsWhichPortIsTakenAndHowToChangeIt() throws Exception {
        try (var taken = new ServerSocket(0)) {
            var config = ListenerFixture.limits(1, 1, 1).at(taken.getLocalPort());
            var late = new GatewayVerticle(ListenerFixture.with(config), listener.shell);
            assertThatThrownBy(() -> listener.vertx.deployVerticle(late).await())
                    .hasMessageContaining("gateway.agent.port=" + taken.getLocalPort())
                    .hasMessageContaining("another process listens there");
        }
    }

    @Test
    void countsWhatItAnswered() throws Exception {
        listener.listed();
        listener.post(body("a-0", 2, ""));
        listener.post("{");
        until(() -> listener.meters
                        .counter("sluice.gateway.agent.requests", "code", "200")
                        .count()
                == 1);
        assertThat(List.of(listener.meters
                        .counter("sluice.gateway.agent.requests", "code", "400")
                        .count()))
                .allMatch(count -> count >= 1);
        assertThat(listener.meters.get("sluice.gateway.agent.inflight").gauge().value())
                .isZero();
        assertThat(listener.meters.get("sluice.gateway.pods").gauge().value()).isEqualTo(4);
    }

    @Test
    void countsInTheNamesThatTheReferencesDashboardsUse() throws Exception {
        listener.listed();
        listener.post(body("a-0", 2, ""));
        listener.post("{");
        listener.post(body("nobody", 2, ""));
        listener.post(body("a-0", 2, "").replace("n\":7", "n\":8"));
        until(() -> requests("200") == 1 && requests("404") == 1);
        assertThat(results("200", "n1")).isEqualTo(1);
        assertThat(results("404", "<none>")).isEqualTo(1);
        // Counted by a pod without a VM, and by the version; what was no request at all is in none of the results.
        assertThat(results("400", "<none>")).isGreaterThanOrEqualTo(2).isEqualTo(requests("400") - 1);
    }

    private double requests(String code) {
        return listener.meters
                .counter("autoscaling_plugin_resource_requests_total", "code", code)
                .count();
    }

    private double results(String code, String node) {
        return listener.meters
                .counter("autoscaling_plugin_resource_requests_results_total", "code", code, "node", node)
                .count();
    }

    @Test
    void everyMetricHasADescription() throws Exception {
        listener.listed();
        listener.post(body("a-0", 2, ""));
        assertThat(listener.meters.getMeters())
                .extracting(meter -> meter.getId())
                .filteredOn(id -> id.getName().startsWith("sluice.gateway")
                        || id.getName().startsWith("autoscaling"))
                .hasSizeGreaterThan(5)
                .allMatch(id -> id.getDescription() != null, "has a description");
    }
}
