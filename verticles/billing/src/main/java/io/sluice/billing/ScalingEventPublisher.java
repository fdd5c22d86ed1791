package io.sluice.billing;

import io.sluice.billing.sink.QueueId;
import io.sluice.billing.wire.ScalingEventJson;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.messages.agent.ScalingRecorded;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Receives scaling records from the bus and writes them to the outbox as events. All methods run on one context. */
final class ScalingEventPublisher {
    /** At most as many events wait for the outbox; beyond that the oldest are dropped. */
    private static final int WAITING_MOST = 10_000;

    private final OutboxWriter writer;
    private final List<QueueId> queues;
    private final String region;
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    /** @param queues the queues that receive the events; without one it subscribes to nothing */
    ScalingEventPublisher(OutboxWriter writer, List<QueueId> queues, String region) {
        this.writer = writer;
        this.queues = queues;
        this.region = region;
    }

    Future<?> subscribe(Bus bus) {
        return queues.isEmpty()
                ? Future.succeededFuture()
                : bus.subscribe(AgentAddresses.SCALING_RECORDED, this::recorded);
    }

    private void recorded(ScalingRecorded recorded) {
        waiting.addLast(ScalingEventJson.write(recorded, region));
        if (waiting.size() > WAITING_MOST) {
            waiting.removeFirst();
        }
    }

    /** Writes the waiting events, or repeats an unfinished write. The outbox reports a failure itself. */
    Future<?> offer() {
        if (writer.isWaiting() || writer.isFree() && waiting.isEmpty()) {
            return Future.succeededFuture();
        }
        return writer.isFree() ? offerNew() : writer.again();
    }

    private Future<?> offerNew() {
        var lines = List.copyOf(waiting);
        waiting.clear();
        var events = new HashMap<QueueId, List<byte[]>>();
        queues.forEach(queue -> events.put(queue, lines));
        return writer.offer(events, Map.of());
    }

    /** Writes what was received before the stop. */
    Future<?> last() {
        return writer.quiet().compose(quiet -> offer()).compose(again -> offer());
    }
}
