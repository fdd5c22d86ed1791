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

/** What the tap adds to the cost of each message: without a client, and with a client whose filter matches nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(2)
public class TapBench {
    private static final PodGone EVENT = new PodGone("4f1c2a9e-6a3b-4a57-9f0e-0f8f3f1b2c3d", "node-1", 17);
    private static final SnapshotRequest REQUEST = new SnapshotRequest("node-1");
    private static final Snapshot ANSWER = new Snapshot(List.of());

    /** Whether a client is connected: {@code closed} none, {@code filtered} one whose filter rejects the address. */
    @Param({"closed", "filtered"})
    private String tap;

    private Vertx vertx;
    private Bus bus;
    private Optional<Tap.Closing> listening = Optional.empty();
    private long wanted;

    /** Starts the bus with one consumer. */
    @Setup
    public void open() {
        vertx = Vertx.vertx();
        bus = new Bus(vertx);
        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ANSWER))
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

    /** Publishes an event without consumers, past the tap: the cost without the tap. */
    @Benchmark
    public void eventPastTheTap() {
        vertx.eventBus()
                .publish(
                        ClusterAddresses.POD_GONE.name(),
                        EVENT,
                        new DeliveryOptions()
                                .setCodecName(ClusterAddresses.POD_GONE.event().name()));
    }

    /** Publishes the same event through the bus. */
    @Benchmark
    public void event() {
        bus.publish(ClusterAddresses.POD_GONE, EVENT);
    }

    /** A request and its reply between two event loops, as between a runner and the ledger. */
    @Benchmark
    public Snapshot request() {
        return bus.request(LedgerAddresses.SNAPSHOT, REQUEST)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
