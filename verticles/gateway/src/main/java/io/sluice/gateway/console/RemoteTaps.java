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
 * One reader's listeners in all other processes: each is asked again and again for what it has heard, and while the
 * reader takes nothing nobody is asked. For one event loop.
 */
final class RemoteTaps {
    private static final Duration ASK_EVERY = Duration.ofMillis(250);

    private final Bus bus;
    private final Peers peers;
    private final TapRequest first;
    private final Consumer<List<String>> heard;
    private final Map<String, Ear> ears = new TreeMap<>();

    /**
     * How listening in one process goes.
     *
     * @param id of the process
     * @param dropped messages that there was no room for there
     * @param gaps how often its listener had closed while nobody asked
     * @param reason why nothing is heard of it, in words; empty while it is heard
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
     * Listeners that are opened by the first pull.
     *
     * @param first the first question to each of them
     * @param heard takes messages as JSON, as they come
     */
    RemoteTaps(Bus bus, Peers peers, TapRequest first, Consumer<List<String>> heard) {
        this.bus = bus;
        this.peers = peers;
        this.first = first;
        this.heard = heard;
    }

    /** Asks everybody who owes no answer and has not been asked just now. */
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
                ear.dueAt = now.plus(ASK_EVERY);
                ask(id, ear);
            }
        }
    }

    private void ask(String id, Ear ear) {
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
            heard.accept(batch.messages().stream().filter(RemoteTaps::isOneLine).toList());
        }
    }

    /** A line break would begin another event of the stream. */
    private static boolean isOneLine(String json) {
        return json.indexOf('\n') < 0 && json.indexOf('\r') < 0;
    }

    /** How listening goes, by process. */
    List<RemoteTap> hearings() {
        return ears.entrySet().stream()
                .map(ear ->
                        new RemoteTap(ear.getKey(), ear.getValue().dropped, ear.getValue().gaps, ear.getValue().reason))
                .toList();
    }
}
