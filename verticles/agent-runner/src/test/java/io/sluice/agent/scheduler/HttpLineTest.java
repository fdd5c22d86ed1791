package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.GRANTED;
import static io.sluice.agent.scheduler.StandInScheduler.answering;
import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class HttpLineTest {
    private static final long GI = 1L << 30;
    private static final Resources UNIT = new Resources(250, GI);

    /** It is waited for in full; who answers at once does so within it, on a busy machine too. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static final Duration LONG = Duration.ofSeconds(15);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    private HttpLine line;

    @AfterEach
    void close() {
        if (line != null) {
            await(on(line::close));
        }
        await(vertx.close());
    }

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
        line = new HttpLine(vertx, shell, config(LONG, List.of(), ""), new ListedSchedulers(List.of()), terms());
        await(on(line::start));
        line.seen(vm("a"));
        assertThat(failure(ask("a", 1))).contains("no scheduler is known: agent.scheduler.urls names none");
        assertThat(failure(ask("unheard", 1))).contains("the name of pod uid-unheard is not known yet");
    }

    /** As a kubelet renews the token of a service account: another folder in place of the one that a link leads to. */
    @Test
    void showsItsTokenAndFollowsItsRenewal(@TempDir Path files) throws Exception {
        var token = projected(files, "one");
        var scheduler = new StandInScheduler(vertx).open();
        var config = config(LONG, List.of(scheduler.url()), token.toString());
        line = new HttpLine(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        await(on(line::start));
        line.seen(vm("a"));
        await(ask("a", 1));
        projected(files, "two");
        var seq = new AtomicInteger(1);
        await().atMost(SchedulerSecrets.AGAIN.plusSeconds(20)).until(() -> {
            await(ask("a", seq.incrementAndGet()));
            return scheduler.credentials.contains("Bearer two");
        });
        assertThat(scheduler.credentials.getFirst()).isEqualTo("Bearer one");
    }

    @Test
    void namesTheKeyOfATokenThatCannotBeRead() {
        var config = config(LONG, List.of("http://127.0.0.1:1"), "/no/such/file");
        line = new HttpLine(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        assertThat(failure(on(line::start))).contains("agent.scheduler.tokenFile=/no/such/file cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "one\ntwo\n", "one two"})
    void showsNothingThatIsNotOneToken(String text, @TempDir Path files) throws Exception {
        var token = Files.writeString(files.resolve("token"), text);
        var config = config(LONG, List.of("http://127.0.0.1:1"), token.toString());
        line = new HttpLine(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        assertThat(failure(on(line::start))).contains("agent.scheduler.tokenFile=" + token + " must hold one token");
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

    private static Path projected(Path volume, String token) throws IOException {
        var folder = Files.createDirectory(volume.resolve("..of-" + token));
        Files.writeString(folder.resolve("token"), token);
        var link = Files.createSymbolicLink(volume.resolve("..data_tmp"), folder.getFileName());
        Files.move(link, volume.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        var shown = volume.resolve("token");
        return Files.exists(shown) ? shown : Files.createSymbolicLink(shown, Path.of("..data", "token"));
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

    private void line(Duration timeout, StandInScheduler... schedulers) {
        var urls = urls(schedulers);
        var config = config(timeout, urls, "");
        line = new HttpLine(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        await(on(line::start));
        line.seen(vm("a"));
        line.seen(vm("b"));
    }

    private static List<String> urls(StandInScheduler... schedulers) {
        return List.of(schedulers).stream().map(StandInScheduler::url).toList();
    }

    private static HttpLine.Terms terms() {
        return new HttpLine.Terms(UNIT, Duration.ofSeconds(10), 100);
    }

    private static SchedulerConfig config(Duration timeout, List<String> urls, String tokenFile) {
        return new SchedulerConfig(
                SchedulerVia.BUS,
                SchedulerDiscovery.URLS,
                urls,
                "",
                "",
                "",
                10_299,
                timeout,
                64,
                tokenFile,
                SchedulerTls.DEFAULTS);
    }

    private Future<PermitReply> ask(String vm, long seq) {
        return on(() -> line.ask(question(vm, 7, seq)));
    }

    private static PermitRequest question(String vm, long session, long seq) {
        return new PermitRequest(
                "n1", "uid-" + vm, "me", session, seq, UNIT, UNIT.times(4), Optional.of(UNIT), Optional.of(0.5f));
    }

    private <T> Future<T> on(Supplier<Future<T>> action) {
        var promise = Promise.<T>promise();
        context.runOnContext(go -> action.get().onComplete(promise));
        return promise.future();
    }

    private static String failure(Future<?> future) {
        try {
            var answered = future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            throw new AssertionError("answered " + answered);
        } catch (ExecutionException failed) {
            return String.valueOf(failed.getCause().getMessage());
        } catch (Exception other) {
            throw new AssertionError(other);
        }
    }

    private double count(String outcome) {
        return meters.get("sluice.agent.scheduler.requests")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static VmSeen vm(String name) {
        return new VmSeen(
                new VmId("neonvm", "default", name, "vm-" + name),
                1,
                "uid-" + name,
                name + "-0",
                "n1",
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, UNIT.times(8), UNIT, Optional.of(UNIT.times(2)), GI),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
