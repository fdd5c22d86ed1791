package io.sluice.bench.permits;

import io.sluice.bench.measurement.Config;
import io.sluice.bench.measurement.Latencies;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Requests permits over the bus of its own process, a fixed number at a time, each for another pod. */
final class BusLoad {
    private static final int LATENCIES_MAX = 2_000_000;

    private final Bus bus;
    private final int inFlight;
    private final String runner = UUID.randomUUID().toString();
    private final long[] sessions = new long[PermitFleet.PODS];
    private final long[] seqs = new long[PermitFleet.PODS];
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();

    BusLoad(Bus bus, int inFlight) {
        this.bus = bus;
        this.inFlight = inFlight;
    }

    /** Warms up as long as it measures; returns columns of a table. */
    String run(int seconds) {
        for (int pod = 0; pod < PermitFleet.PODS; pod++) {
            sessions[pod] = ((OpenReply.Opened) Config.done(bus.request(
                            LedgerAddresses.OPEN, new OpenSession(PermitFleet.node(pod), Members.pod(pod), runner, 0))))
                    .session();
        }
        measure(Duration.ofSeconds(seconds));
        lost.set(0);
        long begun = System.nanoTime();
        var latencies = measure(Duration.ofSeconds(seconds));
        double took = (System.nanoTime() - begun) / 1e9;
        return String.format(Locale.ROOT, "%.0f | %s | %d", latencies.count() / took, latencies.columns(), lost.get());
    }

    private Latencies measure(Duration length) {
        var latencies = new Latencies(LATENCIES_MAX);
        long end = System.nanoTime() + length.toNanos();
        var lines = IntStream.range(0, inFlight)
                .mapToObj(line -> {
                    var done = Promise.<Void>promise();
                    request(latencies, end, done);
                    return done.future();
                })
                .toList();
        Config.done(Future.join(lines));
        return latencies;
    }

    /** Sends one request. Its reply arrives in a turn of its own, so that consecutive requests build no stack. */
    private void request(Latencies latencies, long end, Promise<Void> done) {
        int turn = next.getAndIncrement();
        long begun = System.nanoTime();
        if (begun >= end) {
            done.complete();
            return;
        }
        bus.request(LedgerAddresses.PERMIT, request(turn)).onComplete(ended -> {
            latencies.add(System.nanoTime() - begun);
            if (!(ended.result() instanceof PermitReply.Ruled)) {
                lost.incrementAndGet();
            }
            request(latencies, end, done);
        });
    }

    private PermitRequest request(int turn) {
        int pod = Math.floorMod(turn, PermitFleet.PODS);
        seqs[pod]++;
        return new PermitRequest(
                PermitFleet.node(pod),
                Members.pod(pod),
                runner,
                sessions[pod],
                seqs[pod],
                Members.UNIT,
                Members.UNIT.times(1 + Math.floorMod(turn / PermitFleet.PODS, 2)),
                Optional.empty(),
                Optional.empty());
    }
}
