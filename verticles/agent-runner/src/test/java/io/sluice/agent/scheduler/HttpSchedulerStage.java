package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** A client over HTTP on a context of its own, which is closed after each test. */
abstract class HttpSchedulerStage {
    static final long GI = 1L << 30;
    static final Resources UNIT = new Resources(250, GI);

    /** Tests wait for it in full; an immediate response arrives within it, on a busy machine too. */
    static final Duration SHORT = Duration.ofSeconds(3);

    static final Duration LONG = Duration.ofSeconds(15);

    final Vertx vertx = Vertx.vertx();
    final Context context = vertx.getOrCreateContext();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    HttpSchedulerClient line;

    @AfterEach
    void close() {
        if (line != null) {
            await(on(line::close));
        }
        await(vertx.close());
    }

    void line(Duration timeout, StandInScheduler... schedulers) {
        line(timeout, urls(schedulers));
    }

    void line(Duration timeout, List<String> urls) {
        var config = config(timeout, urls, "");
        line = new HttpSchedulerClient(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        await(on(line::start));
        line.observed(vm("a"));
        line.observed(vm("b"));
    }

    static List<String> urls(StandInScheduler... schedulers) {
        return List.of(schedulers).stream().map(StandInScheduler::url).toList();
    }

    static HttpSchedulerClient.Terms terms() {
        return new HttpSchedulerClient.Terms(UNIT, Duration.ofSeconds(10), 100);
    }

    static SchedulerConfig config(Duration timeout, List<String> urls, String tokenFile) {
        return new SchedulerConfig(
                SchedulerTransport.BUS,
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

    Future<PermitReply> request(String vm, long seq) {
        return on(() -> line.request(request(vm, 7, seq)));
    }

    static PermitRequest request(String vm, long session, long seq) {
        return new PermitRequest(
                "n1", "uid-" + vm, "me", session, seq, UNIT, UNIT.times(4), Optional.of(UNIT), Optional.of(0.5f));
    }

    <T> Future<T> on(Supplier<Future<T>> action) {
        var promise = Promise.<T>promise();
        context.runOnContext(go -> action.get().onComplete(promise));
        return promise.future();
    }

    static String failure(Future<?> future) {
        try {
            var answered = future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            throw new AssertionError("answered " + answered);
        } catch (ExecutionException failed) {
            return String.valueOf(failed.getCause().getMessage());
        } catch (Exception other) {
            throw new AssertionError(other);
        }
    }

    double count(String outcome) {
        return meters.get("sluice.agent.scheduler.requests")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    static VmObserved vm(String name) {
        return new VmObserved(
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
