package io.sluice.bench;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.Tap;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What the tap costs each message: while nobody listens, and while somebody does who wants nothing of it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(2)
public class TapBench {
    private static final PodGone EVENT = new PodGone("4f1c2a9e-6a3b-4a57-9f0e-0f8f3f1b2c3d", "node-1", 17);
    private static final SnapshotRequest QUESTION = new SnapshotRequest("node-1");
    private static final Snapshot ANSWER = new Snapshot(List.of());

    /** Whether somebody listens: {@code closed} nobody, {@code filtered} one who looks at the address and leaves it. */
    @Param({"closed", "filtered"})
    private String tap;

    private Vertx vertx;
    private Bus bus;
    private Optional<Tap.Closing> listening = Optional.empty();
    private long wanted;

    /** Opens the bus with one who serves. */
    @Setup
    public void open() {
        vertx = Vertx.vertx();
        bus = new Bus(vertx);
        bus.serve(LedgerAddresses.SNAPSHOT, question -> Future.succeededFuture(ANSWER))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        if (tap.equals("filtered")) {
            listening = Optional.of(bus.tap().listen(this::look));
        }
    }

    private void look(Tap.Passage passage) {
        if (passage.address().equals("none.such")) {
            wanted++;
        }
    }

    /** Closes it. */
    @TearDown
    public void close(Blackhole hole) {
        listening.ifPresent(Tap.Closing::close);
        hole.consume(wanted);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** An event that nobody hears, past the tap: what publishing costs without it. */
    @Benchmark
    public void eventPastTheTap() {
        vertx.eventBus()
                .publish(
                        ClusterAddresses.POD_GONE.name(),
                        EVENT,
                        new DeliveryOptions()
                                .setCodecName(ClusterAddresses.POD_GONE.event().name()));
    }

    /** The same through the bus. */
    @Benchmark
    public void event() {
        bus.publish(ClusterAddresses.POD_GONE, EVENT);
    }

    /** A question and its answer between two event loops, as a runner and the ledger have them. */
    @Benchmark
    public Snapshot question() {
        return bus.request(LedgerAddresses.SNAPSHOT, QUESTION)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
