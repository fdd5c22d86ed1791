package io.sluice.bench;

import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.codecs.ledger.PermitRequestCodec;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import io.sluice.wire.WireCodec;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of writing a message to the wire and reading it back, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBench {
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Resources FOUR = UNIT.times(4);
    private static final int BYTES = 512;

    private final WireCodec<PermitRequest> requests = new PermitRequestCodec();
    private final WireCodec<PermitReply> answers = new PermitReplyCodec();
    private final PermitRequest request = new PermitRequest(
            "node-1",
            "4f1c2a9e-6a3b-4a57-9f0e-0f8f3f1b2c3d",
            "agent-a.vm-1",
            3,
            17,
            UNIT,
            FOUR,
            Optional.of(UNIT),
            Optional.of(0.42f));
    private final PermitReply answer = new PermitReply.Ruled(
            3,
            17,
            FOUR,
            Duration.ofSeconds(10),
            false,
            new KindDecision(KindDecision.Rule.GRANTED, 250, 1_000, 1_000, 4_000, 7_000, 10_000),
            new KindDecision(KindDecision.Rule.GRANTED, 1L << 30, 4L << 30, 4L << 30, 16L << 30, 28L << 30, 40L << 30));

    /** A permit request. */
    @Benchmark
    public PermitRequest request() {
        return thereAndBack(requests, request);
    }

    /** Its reply, with the numbers of both rulings. */
    @Benchmark
    public PermitReply answer() {
        return thereAndBack(answers, answer);
    }

    private static <T> T thereAndBack(WireCodec<T> codec, T message) {
        var buffer = Buffer.buffer(BYTES);
        codec.encodeToWire(buffer, message);
        return codec.decodeFromWire(0, buffer);
    }
}
