package io.sluice.gateway.console;

import io.sluice.bus.Bus;
import io.sluice.bus.MemberAddresses;
import io.sluice.bus.RequestFailureText;
import io.sluice.messages.member.TapBatch;
import io.sluice.messages.member.TapRequest;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The taps that one reader has in all other processes: each is pulled for its new messages; while the reader takes
 * nothing, nothing is pulled. For one event loop.
 */
final class RemoteTaps {
    private static final Duration REQUEST_EVERY = Duration.ofMillis(250);

    private final Bus bus;
    private final Peers peers;
    private final TapRequest first;
    private final Consumer<List<String>> receivers;
    private final Map<String, Ear> ears = new TreeMap<>();

    /**
     * The state of a tap in one process.
     *
     * @param id of the process
     * @param dropped messages that it had no room for
     * @param gaps how often the tap was closed because no request arrived in time
     * @param reason why no messages arrive from it, in words; empty while they do
     */
    record RemoteTap(String id, long dropped, long gaps, String reason) {}

    private static final class Ear {
        private TapRequest next;
        private boolean busy;
        private Instant dueAt = Instant.MIN;
        private long droppedBefore;
        private long dropped;
        private long gaps;
        private String reason = "";

        private Ear(TapRequest next) {
            this.next = next;
        }
    }

    /**
     * Creates the taps; the first pull opens them.
     *
     * @param first the first request to each of them
     * @param received takes messages as JSON, as they arrive
     */
    RemoteTaps(Bus bus, Peers peers, TapRequest first, Consumer<List<String>> received) {
        this.bus = bus;
        this.peers = peers;
        this.first = first;
        this.receivers = received;
    }

    /** Sends a request to each process that owes no reply and whose next request is due. */
    void pull(Instant now) {
        var self = peers.self().id();
        var others = peers.all().stream()
                .map(Peer::id)
                .filter(id -> !id.equals(self))
                .collect(Collectors.toSet());
        ears.keySet().retainAll(others);
        for (var id : others) {
            var ear = ears.computeIfAbsent(id, fresh -> new Ear(first));
            if (!ear.busy && !ear.dueAt.isAfter(now)) {
                ear.busy = true;
                ear.dueAt = now.plus(REQUEST_EVERY);
                request(id, ear);
            }
        }
    }

    private void request(String id, Ear ear) {
        var address = MemberAddresses.TAP.at(id);
        bus.request(address, ear.next)
                .onComplete(done -> ear.busy = false)
                .onSuccess(batch -> take(ear, batch))
                .onFailure(lost -> ear.reason = RequestFailureText.why(address, lost));
    }

    private void take(Ear ear, TapBatch batch) {
        if (batch.opened()) {
            ear.droppedBefore = ear.dropped;
            ear.gaps += ear.next.seq() > first.seq() ? 1 : 0;
        }
        ear.dropped = ear.droppedBefore + batch.dropped();
        ear.next = ear.next.next();
        ear.dueAt = batch.more() ? Instant.MIN : ear.dueAt;
        ear.reason = "";
        if (!batch.messages().isEmpty()) {
            receivers.accept(
                    batch.messages().stream().filter(RemoteTaps::isOneLine).toList());
        }
    }

    /** A line break would begin another event of the stream. */
    private static boolean isOneLine(String json) {
        return json.indexOf('\n') < 0 && json.indexOf('\r') < 0;
    }

    /** Returns the state of each tap, by process. */
    List<RemoteTap> taps() {
        return ears.entrySet().stream()
                .map(ear ->
                        new RemoteTap(ear.getKey(), ear.getValue().dropped, ear.getValue().gaps, ear.getValue().reason))
                .toList();
    }
}
