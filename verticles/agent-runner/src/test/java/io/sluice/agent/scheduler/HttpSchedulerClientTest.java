package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.GRANTED;
import static io.sluice.agent.scheduler.StandInScheduler.answering;
import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.shell.EndlessServer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class HttpSchedulerClientTest extends HttpSchedulerStage {
    @Test
    void asksInTheWordsOfTheProtocol() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        assertThat(await(on(() -> line.open(new OpenSession("n1", "uid-a", "me", 6)))))
                .isInstanceOf(OpenReply.Opened.class);
        assertThat(await(ask("a", 3))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(scheduler.asked).containsExactly(new JsonObject("""
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
            await(ask("a", seq));
        }
        assertThat(scheduler.connections).hasSize(1);
        assertThat(count("answered")).isEqualTo(20);
    }

    @Test
    void speaksTheOlderVersionToAnOlderServerAndRemembersIt() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, question) -> {
            boolean known = question.getInteger("protoVersion") == 6;
            answering(known ? 200 : 400, known ? GRANTED : "Protocol version mismatch: Need v3.0 to v4.0 but got v5.0")
                    .accept(request, question);
        });
        line(LONG, scheduler);
        await(ask("a", 1));
        await(ask("a", 2));
        assertThat(scheduler.asked)
                .extracting(question -> question.getInteger("protoVersion"))
                .containsExactly(7, 6, 6);
        assertThat(scheduler.asked.getLast().getValue("metrics")).isNull();
    }

    @Test
    void asksTheNextWhereOneDoesNotAnswerAndPrefersItForAWhile() {
        var silent = new StandInScheduler(vertx).open().answers((request, question) -> {});
        var other = new StandInScheduler(vertx).open();
        line(SHORT, silent, other);
        assertThat(await(ask("a", 1))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(await(ask("a", 2))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(silent.asked).hasSize(1);
        assertThat(other.asked).extracting(question -> question.getLong("seq")).containsExactly(1L, 2L);
        assertThat(meters.get("sluice.agent.scheduler.failovers").counter().count())
                .isEqualTo(1);
    }

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(503));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void cutsASchedulerOffWhoseAnswerDoesNotEnd(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer)) {
            line(LONG, List.of("http://127.0.0.1:" + server.port()));
            failure(ask("a", 1));
            await().atMost(LONG).until(() -> server.open() == 0);
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    @Test
    void leavesAGatewayThatIsCutOffFromTheLedger() {
        var cutOff = new StandInScheduler(vertx).open().answers(answering(503, "the ledger did not answer in time"));
        var other = new StandInScheduler(vertx).open();
        line(LONG, cutOff, other);
        assertThat(failure(ask("a", 1))).contains("503: the ledger did not answer in time");
        assertThat(other.asked).isEmpty();
        assertThat(await(ask("a", 2))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(await(ask("b", 1))).isInstanceOf(PermitReply.Ruled.class);
        assertThat(cutOff.asked).hasSize(1);
    }

    @Test
    void staysWhereItWasRefusedForItsOwnFault() {
        var strict = new StandInScheduler(vertx).open().answers(answering(429, "this pod's agent asks too often"));
        var other = new StandInScheduler(vertx).open();
        line(LONG, strict, other);
        assertThat(failure(ask("a", 1))).contains("429");
        assertThat(failure(ask("a", 2))).contains("429");
        assertThat(other.asked).isEmpty();
    }

    @Test
    void recoversWhenTheSchedulerComesBack() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        await(ask("a", 1));
        scheduler.close();
        assertThat(failure(ask("a", 2))).contains("no answer from " + scheduler.url());
        new StandInScheduler(vertx).open(Integer.parseInt(scheduler.url().replaceAll(".*:", "")));
        assertThat(await(ask("a", 3))).isInstanceOf(PermitReply.Ruled.class);
    }

    @Test
    void neverAsksTwiceAtOnceForOneVm() {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var held = new ConcurrentLinkedQueue<Runnable>();
        var scheduler = new StandInScheduler(vertx).open().answers((request, question) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            held.add(() -> {
                atOnce.decrementAndGet();
                answering(200, GRANTED).accept(request, question);
            });
        });
        line(LONG, scheduler);
        var first = ask("a", 1);
        await().until(() -> held.size() == 1);
        var second = ask("a", 2);
        var third = ask("a", 3);
        assertThat(failure(first)).contains("a newer question took its place");
        assertThat(failure(second)).contains("a newer question took its place");
        assertThat(await(ask("b", 1, held))).isInstanceOf(PermitReply.Ruled.class);
        release(held);
        await().until(() -> held.size() == 1);
        release(held);
        assertThat(await(third))
                .isInstanceOfSatisfying(
                        PermitReply.Ruled.class,
                        ruled -> assertThat(ruled.seq()).isEqualTo(3));
        assertThat(scheduler.asked.stream()
                        .filter(question ->
                                question.getJsonObject("pod").getString("name").equals("a-0")))
                .extracting(question -> question.getLong("seq"))
                .containsExactly(1L, 3L);
    }

    @Test
    void oneVmDoesNotWaitForAnother() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, question) -> {
            if (question.getJsonObject("pod").getString("name").equals("b-0")) {
                answering(200, GRANTED).accept(request, question);
            }
        });
        line(LONG, scheduler);
        ask("a", 1);
        assertThat(await(ask("b", 1))).isInstanceOf(PermitReply.Ruled.class);
    }

    @Test
    void waitsAsLongAsItWasAskedTo() {
        var scheduler = new StandInScheduler(vertx).open().answers((request, question) -> {
            request.response().putHeader("Retry-After", "30");
            answering(429, "this pod's agent asks too often").accept(request, question);
        });
        line(LONG, scheduler);
        assertThat(failure(ask("a", 1))).contains("429: this pod's agent asks too often");
        assertThat(failure(ask("a", 2))).contains("wants to be asked in").contains("asks too often");
        assertThat(scheduler.asked).hasSize(1);
        assertThat(failure(ask("b", 1))).contains("429");
        assertThat(count("held")).isEqualTo(1);
        assertThat(count("unusable")).isEqualTo(2);
    }

    @Test
    void givesUpAnAnswerThatIsTooLongOrDoesNotEnd() {
        var scheduler = new StandInScheduler(vertx)
                .open()
                .answers((request, question) ->
                        answering(200, " ".repeat(20_000)).accept(request, question));
        line(SHORT, scheduler);
        assertThat(failure(ask("a", 1))).contains("longer than");
        scheduler.answers((request, question) -> {
            request.response().setChunked(true).write("{");
            vertx.setPeriodic(20, tick -> request.response().write(" "));
        });
        assertThat(failure(ask("a", 2))).contains("did not end in time");
        scheduler.answers((request, question) -> request.connection().close());
        assertThat(failure(ask("a", 3))).contains("no answer from");
        assertThat(count("lost")).isEqualTo(3);
    }

    @Test
    void saysThatThereIsNobodyToAsk() {
        line = new HttpSchedulerClient(
                vertx, shell, config(LONG, List.of(), ""), new ListedSchedulers(List.of()), terms());
        await(on(line::start));
        line.seen(vm("a"));
        assertThat(failure(ask("a", 1))).contains("no scheduler is known: agent.scheduler.urls names none");
        assertThat(failure(ask("unheard", 1))).contains("the name of pod uid-unheard is not known yet");
    }

    @Test
    void opensATrueSessionOnceTheServerKnowsSessions() {
        var scheduler = new StandInScheduler(vertx).open();
        line(LONG, scheduler);
        var local = (OpenReply.Opened) await(on(() -> line.open(new OpenSession("n1", "uid-a", "me", 0))));
        scheduler.answers(answering(409, "open again"));
        assertThat(await(on(() -> line.ask(question("a", local.session(), 1)))))
                .isInstanceOf(PermitReply.OpenAgain.class);
        await(on(() -> line.open(new OpenSession("n1", "uid-a", "me-2", local.session())))
                .otherwise(new OpenReply.Opened(1, UNIT, false)));
        assertThat(scheduler.asked.getLast().containsKey("lastSession")).isFalse();
    }

    private void release(ConcurrentLinkedQueue<Runnable> held) {
        vertx.runOnContext(go -> held.remove().run());
    }

    private Future<PermitReply> ask(String vm, long seq, ConcurrentLinkedQueue<Runnable> held) {
        var before = held.size();
        var asked = ask(vm, seq);
        await().until(() -> held.size() > before);
        var others = new ArrayList<Runnable>(held);
        held.remove(others.getLast());
        vertx.runOnContext(go -> others.getLast().run());
        return asked;
    }
}
