package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.GRANTED;
import static io.sluice.agent.scheduler.StandInScheduler.answering;
import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.shell.EndlessServer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HttpSchedulerClientTest extends HttpSchedulerStage {
    @Test
    void requestsInTheWordsOfTheProtocol() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        assertThat(await(on(() -> line.open(new OpenSession("n1", "uid-a", "me", 6)))))
                .isInstanceOf(OpenReply.Opened.class);
        assertThat(await(request("a", 3))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(scheduler.requested).containsExactly(new JsonObject("""
            {"protoVersion":7,"pod":{"namespace":"default","name":"a-0"},
             "computeUnit":{"vCPUs":"250m","mem":"1Gi"},"resources":{"vCPUs":"500m","mem":"2Gi"},
             "lastPermit":null,"runner":"me","lastSession":6,"metrics":null}
            """), new JsonObject("""
                {"protoVersion":7,"pod":{"namespace":"default","name":"a-0"},
                 "computeUnit":{"vCPUs":"250m","mem":"1Gi"},"resources":{"vCPUs":1,"mem":"4Gi"},
                 "lastPermit":{"vCPUs":"250m","mem":"1Gi"},"runner":"me","session":7,"seq":3,
                 "metrics":{"loadAvg1M":0.5}}
                """));
    }

    @Test
    void keepsItsConnection() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        for (int seq = 1; seq <= 20; seq++) {
            await(request("a", seq));
        }
        assertThat(scheduler.connections).hasSize(1);
        assertThat(count("answered")).isEqualTo(20);
    }

    @Test
    void speaksTheOlderVersionToAnOlderServerAndRemembersIt() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, body) -> {
            boolean known = body.getInteger("protoVersion") == 6;
            answering(known ? 200 : 400, known ? GRANTED : "Protocol version mismatch: Need v3.0 to v4.0 but got v5.0")
                    .accept(request, body);
        });
        line(LONG, scheduler);
        await(request("a", 1));
        await(request("a", 2));
        assertThat(scheduler.requested)
                .extracting(request -> request.getInteger("protoVersion"))
                .containsExactly(7, 6, 6);
        assertThat(scheduler.requested.getLast().getValue("metrics")).isNull();
    }

    @Test
    void requestsFromTheNextWhereOneDoesNotReplyAndPrefersItForAWhile() {
        var silent = new StandInScheduler(vertx).open().answers((request, body) -> {});
        var other = new StandInScheduler(vertx).open();
        line(SHORT, silent, other);
        assertThat(await(request("a", 1))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(await(request("a", 2))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(silent.requested).hasSize(1);
        assertThat(other.requested)
                .extracting(request -> request.getLong("seq"))
                .containsExactly(1L, 2L);
        assertThat(meters.get("sluice.agent.scheduler.failovers").counter().count())
                .isEqualTo(1);
    }

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(503));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void cutsASchedulerOffThatSendsAnEndlessReply(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer)) {
            line(LONG, List.of("http://127.0.0.1:" + server.port()));
            failure(request("a", 1));
            await().atMost(LONG).until(() -> server.open() == 0);
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    @Test
    void leavesAGatewayThatIsCutOffFromTheLedger() {
        var cutOff = new StandInScheduler(vertx).open().answers(answering(503, "the ledger did not answer in time"));
        var other = new StandInScheduler(vertx).open();
        line(LONG, cutOff, other);
        assertThat(failure(request("a", 1))).contains("503: the ledger did not answer in time");
        assertThat(other.requested).isEmpty();
        assertThat(await(request("a", 2))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(await(request("b", 1))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(cutOff.requested).hasSize(1);
    }

    @Test
    void staysWhereItWasRefusedForItsOwnFault() {
        var strict = new StandInScheduler(vertx).open().answers(answering(429, "this pod's agent asks too often"));
        var other = new StandInScheduler(vertx).open();
        line(LONG, strict, other);
        assertThat(failure(request("a", 1))).contains("429");
        assertThat(failure(request("a", 2))).contains("429");
        assertThat(other.requested).isEmpty();
    }

    @Test
    void recoversWhenTheSchedulerComesBack() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        await(request("a", 1));
        scheduler.close();
        assertThat(failure(request("a", 2)))
                .contains("no response from " + scheduler.url())
                .containsPattern(": Connection (refused|reset|was closed)");
        new StandInScheduler(vertx).open(Integer.parseInt(scheduler.url().replaceAll(".*:", "")));
        assertThat(await(request("a", 3))).isInstanceOf(PermitReply.Ruled.class);
    }

    @Test
    void neverRequestsTwiceAtOnceForOneVm() {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var held = new ConcurrentLinkedQueue<Runnable>();
        var scheduler = new StandInScheduler(vertx).open().answers((request, body) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            held.add(() -> {
                atOnce.decrementAndGet();
                answering(200, GRANTED).accept(request, body);
            });
        });
        line(LONG, scheduler);
        var first = request("a", 1);
        await().until(() -> held.size() == 1);
        var second = request("a", 2);
        var third = request("a", 3);
        assertThat(failure(first)).contains("a newer request replaced it");
        assertThat(failure(second)).contains("a newer request replaced it");
        assertThat(await(request("b", 1, held))).isInstanceOf(PermitReply.Ruled.class);
        release(held);
        await().until(() -> held.size() == 1);
        release(held);
        assertThat(await(third))
                .isInstanceOfSatisfying(
                        PermitReply.Ruled.class,
                        ruled -> assertThat(ruled.seq()).isEqualTo(3));
        assertThat(scheduler.requested.stream()
                        .filter(request ->
                                request.getJsonObject("pod").getString("name").equals("a-0")))
                .extracting(request -> request.getLong("seq"))
                .containsExactly(1L, 3L);
    }

    @Test
    void oneVmDoesNotWaitForAnother() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, body) -> {
            if (body.getJsonObject("pod").getString("name").equals("b-0")) {
                answering(200, GRANTED).accept(request, body);
            }
        });
        line(LONG, scheduler);
        request("a", 1);
        assertThat(await(request("b", 1))).isInstanceOf(PermitReply.Ruled.class);
    }

    @Test
    void waitsAsLongAsTheReplyRequests() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, body) -> {
            request.response().putHeader("Retry-After", "30");
            answering(429, "this pod's agent asks too often").accept(request, body);
        });
        line(LONG, scheduler);
        assertThat(failure(request("a", 1))).contains("429: this pod's agent asks too often");
        assertThat(failure(request("a", 2))).contains("requires a wait of").contains("asks too often");
        assertThat(scheduler.requested).hasSize(1);
        assertThat(failure(request("b", 1))).contains("429");
        assertThat(count("held")).isEqualTo(1);
        assertThat(count("unusable")).isEqualTo(2);
    }

    @Test
    void givesUpAnAnswerThatIsTooLongOrDoesNotEnd() {
        var scheduler = new StandInScheduler(vertx)
                .open()
                .answers((request, body) -> answering(200, " ".repeat(20_000)).accept(request, body));
        line(SHORT, scheduler);
        assertThat(failure(request("a", 1))).contains("longer than");
        scheduler.answers((request, body) -> {
            request.response().setChunked(true).write("{");
            vertx.setPeriodic(20, tick -> request.response().write(" "));
        });
        assertThat(failure(request("a", 2))).contains("did not end in time");
        scheduler.answers((request, body) -> request.connection().close());
        assertThat(failure(request("a", 3))).contains("no response from");
        assertThat(count("lost")).isEqualTo(3);
    }

    @Test
    void reportsThatThereIsNoScheduler() {
        line = new HttpSchedulerClient(
                vertx, shell, config(LONG, List.of(), ""), new ListedSchedulers(List.of()), terms());
        await(on(line::start));
        line.observed(vm("a"));
        assertThat(failure(request("a", 1))).contains("no scheduler is known: agent.scheduler.urls names none");
        assertThat(failure(request("unheard", 1))).contains("the name of pod uid-unheard is not known yet");
    }

    @Test
    void opensATrueSessionOnceTheServerSupportsSessions() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        var local = (OpenReply.Opened) await(on(() -> line.open(new OpenSession("n1", "uid-a", "me", 0))));
        scheduler.answers(answering(409, "open again"));
        assertThat(await(on(() -> line.request(request("a", local.session(), 1)))))
                .isInstanceOf(PermitReply.OpenAgain.class);
        await(on(() -> line.open(new OpenSession("n1", "uid-a", "me-2", local.session())))
                .otherwise(new OpenReply.Opened(1, UNIT, false)));
        assertThat(scheduler.requested.getLast().containsKey("lastSession")).isFalse();
    }

    private void release(ConcurrentLinkedQueue<Runnable> held) {
        vertx.runOnContext(go -> held.remove().run());
    }

    private Future<PermitReply> request(String vm, long seq, ConcurrentLinkedQueue<Runnable> held) {
        var before = held.size();
        var request = request(vm, seq);
        await().until(() -> held.size() > before);
        var others = new ArrayList<Runnable>(held);
        held.remove(others.getLast());
        vertx.runOnContext(go -> others.getLast().run());
        return request;
    }
}
