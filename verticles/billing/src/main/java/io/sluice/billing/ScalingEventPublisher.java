package io.sluice.billing;

import io.sluice.billing.outbox.QueueId;
import io.sluice.billing.wire.ScalingEventJson;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.messages.agent.ScalingNoted;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hears how VMs are scaled, and has that told wherever it is wanted. All on one context. */
final class ScalingEventPublisher {
    /** As many as wait for the outbox; the oldest go first. */
    private static final int WAITING_MOST = 10_000;

    private final OutboxWriter desk;
    private final List<QueueId> lanes;
    private final String region;
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    /** @param lanes where they are told; with none nothing is heard */
    ScalingEventPublisher(OutboxWriter desk, List<QueueId> lanes, String region) {
        this.desk = desk;
        this.lanes = lanes;
        this.region = region;
    }

    Future<?> hear(Bus bus) {
        return lanes.isEmpty() ? Future.succeededFuture() : bus.subscribe(AgentAddresses.SCALING_NOTED, this::noted);
    }

    private void noted(ScalingNoted noted) {
        waiting.addLast(ScalingEventJson.write(noted, region));
        if (waiting.size() > WAITING_MOST) {
            waiting.removeFirst();
        }
    }

    /** Has what was heard made durable, unless something before it is not yet. A failure is the outbox's to tell of. */
    Future<?> offer() {
        if (desk.isWaiting() || desk.isFree() && waiting.isEmpty()) {
            return Future.succeededFuture();
        }
        return desk.isFree() ? offerNew() : desk.again();
    }

    private Future<?> offerNew() {
        var lines = List.copyOf(waiting);
        waiting.clear();
        var events = new HashMap<QueueId, List<byte[]>>();
        lanes.forEach(lane -> events.put(lane, lines));
        return desk.offer(events, Map.of());
    }

    /** The last that is heard. */
    Future<?> last() {
        return desk.quiet().compose(quiet -> offer()).compose(again -> offer());
    }
}
