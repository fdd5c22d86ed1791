package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.await;
import static io.sluice.gateway.ListenerFixture.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.PodObservations;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentApiTest {
    private ListenerFixture door;

    @BeforeEach
    void open() throws Exception {
        door = new ListenerFixture();
    }

    @AfterEach
    void close() throws Exception {
        door.close();
    }

    @Test
    void givesTheSamePermitAsTheBus() throws Exception {
        door.listed();
        var overBus = await(door.bus.request(
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
                        Optional.of(0.42f))));
        assertThat(((PermitReply.Ruled) overBus).permit()).isEqualTo(PodObservations.UNIT.times(8));

        var overHttp = door.post(body("a-0", 99, ""));

        assertThat(overHttp.statusCode()).isEqualTo(200);
        assertThat(overHttp.headers().firstValue("content-type")).contains("application/json");
        assertThat(overHttp.body()).isEqualTo("{\"permit\":{\"vCPUs\":2,\"mem\":\"8Gi\"}}");
        assertThat(door.ledger.questions).hasSize(2);
        assertThat(door.ledger.questions.get(1))
                .usingRecursiveComparison()
                .ignoringFields("runner")
                .isEqualTo(door.ledger.questions.get(0));
    }

    @Test
    void opensOneSessionForAnAgentThatKnowsNone() throws Exception {
        door.listed();
        door.post(body("a-0", 2, ""));
        door.post(body("a-0", 3, ""));
        door.post(body("b-0", 2, ""));
        assertThat(door.ledger.openings).extracting(OpenSession::member).containsExactly("pod-a", "pod-b");
        assertThat(door.ledger.questions).extracting(PermitRequest::session).containsExactly(1L, 1L, 2L);
        assertThat(door.ledger.questions).extracting(PermitRequest::seq).containsExactly(1L, 2L, 1L);
    }

    @Test
    void passesSessionsThrough() throws Exception {
        door.listed();
        var opened = door.post(body("a-0", 2, ",\"runner\":\"r1\",\"lastSession\":6"));
        assertThat(opened.body()).isEqualTo("{\"permit\":{\"vCPUs\":2,\"mem\":\"8Gi\"},\"session\":1,\"validFor\":0}");
        assertThat(door.ledger.openings).containsExactly(new OpenSession("n1", "pod-a", "r1", 6));
        assertThat(door.ledger.questions).isEmpty();

        var asked = door.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(asked.body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"},\"session\":1,\"validFor\":10}");
        assertThat(door.ledger.questions.getFirst().seq()).isEqualTo(4);
        assertThat(door.ledger.openings).hasSize(1);
    }

    @Test
    void saysThatAVmMoves() throws Exception {
        door.listed();
        door.ledger.answerQuestions(question -> Future.succeededFuture(door.ledger.ruled(question, true)));
        assertThat(door.post(body("a-0", 1, "")).body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"migrate\":{}}");
    }

    @Test
    void passesOnWhatTheLedgerRefuses() throws Exception {
        door.listed();
        expect(new PermitReply.Superseded(9, "A"), 409, "superseded");
        expect(new PermitReply.OpenAgain(0), 409, "open again");
        expect(new PermitReply.SeqReused(4), 400, "seq 4 of this session was used for another question");
        var notReady = new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(1));
        expect(notReady, 503, "the ledger has not listed the node's members yet");
        door.ledger.answerQuestions(question -> Future.failedFuture("broken"));
        var lost = door.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(lost.statusCode()).isEqualTo(503);
        assertThat(lost.headers().firstValue("retry-after")).contains("1");
    }

    private void expect(PermitReply reply, int status, String sentence) throws Exception {
        door.ledger.answerQuestions(question -> Future.succeededFuture(reply));
        var answer = door.post(body("a-0", 2, ",\"session\":1,\"seq\":4"));
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(sentence);
        assertThat(answer.headers().firstValue("content-type")).contains("text/plain");
        assertThat(answer.headers().firstValue("retry-after").isPresent()).isEqualTo(status == 503);
    }

    @Test
    void tellsAnAgentWithoutSessionsWhenToComeBack() throws Exception {
        door.listed();
        door.ledger.answerOpenings(opening ->
                Future.succeededFuture(new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofMillis(1500))));
        var answer = door.post(body("a-0", 2, ""));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).contains("2");
        assertThat(door.ledger.questions).isEmpty();
    }

    @Test
    void staysAsideOnceSuperseded() throws Exception {
        door.listed();
        door.ledger.answerQuestions(question -> Future.succeededFuture(new PermitReply.Superseded(9, "A")));
        assertThat(door.post(body("a-0", 2, "")).statusCode()).isEqualTo(409);
        var again = door.post(body("a-0", 2, ""));
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.headers().firstValue("retry-after")).isPresent();
        assertThat(door.ledger.openings).hasSize(1);
        assertThat(door.ledger.questions).hasSize(1);
    }

    @Test
    void isNotReadyBeforeTheFirstListing() throws Exception {
        assertThat(door.shell.readiness().reasons()).containsKey("gateway");
        var early = door.post(body("a-0", 2, ""));
        assertThat(early.statusCode()).isEqualTo(503);
        assertThat(early.headers().firstValue("retry-after")).contains("1");
        door.listed();
        assertThat(door.shell.readiness().isReady()).isTrue();
        assertThat(door.post(body("nobody", 2, "")).statusCode()).isEqualTo(404);
    }

    @Test
    void forgetsAPodThatIsGone() throws Exception {
        door.listed();
        assertThat(door.post(body("a-0", 2, "")).statusCode()).isEqualTo(200);
        door.bus.publish(ClusterAddresses.POD_GONE, new PodGone("pod-a", "n1", 2));
        door.until(() -> door.post(body("a-0", 2, "")).statusCode() == 404);
    }

    @Test
    void asksForEveryFactWhenItStarts() throws Exception {
        var wanted = Promise.<String>promise();
        await(door.bus.subscribe(ClusterAddresses.RESYNC_WANTED, wish -> wanted.tryComplete(wish.by())));
        var second = new GatewayVerticle(ListenerFixture.with(ListenerFixture.limits(1, 1, 1)), door.shell);
        await(door.vertx.deployVerticle(second));
        assertThat(await(wanted.future())).isEqualTo("gateway");
    }

    @Test
    void keepsOneQuestionOfAPodInFlightAndOthersGoOn() throws Exception {
        door.listed();
        var first = Promise.<PermitReply>promise();
        door.ledger.answerQuestions(question -> question.member().equals("pod-a") && question.seq() == 1
                ? first.future()
                : Future.succeededFuture(door.ledger.ruled(question, false)));
        var slow = door.posting(body("a-0", 2, ""));
        door.until(() -> door.ledger.questions.size() == 1);
        var behind = door.posting(body("a-0", 1, ""));
        assertThat(door.post(body("b-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(door.ledger.questions).extracting(PermitRequest::member).containsExactly("pod-a", "pod-b");
        first.complete(door.ledger.ruled(door.ledger.questions.getFirst(), false));
        assertThat(slow.get().body()).contains("500m");
        assertThat(behind.get().body()).contains("250m");
        assertThat(door.ledger.questions).extracting(PermitRequest::seq).containsExactly(1L, 1L, 2L);
    }

    @Test
    void saysWhichPortIsTakenAndHowToChangeIt() throws Exception {
        try (var taken = new ServerSocket(0)) {
            var config = ListenerFixture.limits(1, 1, 1).at(taken.getLocalPort());
            var late = new GatewayVerticle(ListenerFixture.with(config), door.shell);
            assertThatThrownBy(() -> await(door.vertx.deployVerticle(late)))
                    .cause()
                    .hasMessageContaining("gateway.agent.port=" + taken.getLocalPort())
                    .hasMessageContaining("another process listens there");
        }
    }

    @Test
    void countsWhatItAnswered() throws Exception {
        door.listed();
        door.post(body("a-0", 2, ""));
        door.post("{");
        door.until(() -> door.meters
                        .counter("sluice.gateway.agent.requests", "code", "200")
                        .count()
                == 1);
        assertThat(List.of(door.meters
                        .counter("sluice.gateway.agent.requests", "code", "400")
                        .count()))
                .allMatch(count -> count >= 1);
        assertThat(door.meters.get("sluice.gateway.agent.inflight").gauge().value())
                .isZero();
        assertThat(door.meters.get("sluice.gateway.pods").gauge().value()).isEqualTo(4);
    }

    @Test
    void countsInTheNamesThatTheReferencesDashboardsKnow() throws Exception {
        door.listed();
        door.post(body("a-0", 2, ""));
        door.post("{");
        door.post(body("nobody", 2, ""));
        door.post(body("a-0", 2, "").replace("n\":7", "n\":8"));
        door.until(() -> requests("200") == 1 && requests("404") == 1);
        assertThat(results("200", "n1")).isEqualTo(1);
        assertThat(results("404", "<none>")).isEqualTo(1);
        // Told by a pod without a VM, and by the version; what was no request at all is in none of the results.
        assertThat(results("400", "<none>")).isGreaterThanOrEqualTo(2).isEqualTo(requests("400") - 1);
    }

    private double requests(String code) {
        return door.meters
                .counter("autoscaling_plugin_resource_requests_total", "code", code)
                .count();
    }

    private double results(String code, String node) {
        return door.meters
                .counter("autoscaling_plugin_resource_requests_results_total", "code", code, "node", node)
                .count();
    }

    @Test
    void everyMetricSaysWhatItIs() throws Exception {
        door.listed();
        door.post(body("a-0", 2, ""));
        assertThat(door.meters.getMeters())
                .extracting(meter -> meter.getId())
                .filteredOn(id -> id.getName().startsWith("sluice.gateway")
                        || id.getName().startsWith("autoscaling"))
                .hasSizeGreaterThan(5)
                .allMatch(id -> id.getDescription() != null, "has a description");
    }
}
