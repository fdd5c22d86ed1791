package io.sluice.workers;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stands in for the ledger of one worker, of which it counts the CPU: what is observed first is reserved; the runner
 * that opened a session last requests more, of which it gets what there is, or reports less. After its first request
 * observations no longer lower the reservation, as for any VM without autoscaling. Requests and replies can be lost.
 */
final class LedgerStandIn {
    /** What becomes of a permit request. */
    enum Fate {
        ANSWERED,
        /** It never arrives. */
        LOST,
        /** It counts, and its reply is lost. */
        UNANSWERED,
        /** It counts, and its reply comes when the test sends it. */
        ANSWERED_LATER,
        /** It arrives after the next session is open. */
        OVERTAKEN
    }

    private final long total;
    private final Map<String, Long> reserved = new HashMap<>();
    private final Map<String, Long> sessions = new HashMap<>();
    private final Map<String, Long> observations = new HashMap<>();
    private final List<Long> targets = new ArrayList<>();
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final Deque<Runnable> overtaken = new ArrayDeque<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private String watched = "";
    private long lowest;
    private long highest;

    LedgerStandIn(Bus bus, long total) {
        this.total = total;
        Future.all(
                        bus.serve(LedgerAddresses.OPEN, this::open),
                        bus.serve(LedgerAddresses.PERMIT, this::permit),
                        bus.serve(LedgerAddresses.LOAD_NODE, this::load),
                        bus.subscribe(
                                ClusterAddresses.VM_OBSERVED,
                                vm -> observed(vm.pod(), vm.sizes().inUse())),
                        bus.subscribe(ClusterAddresses.POD_GONE, pod -> gone(pod.uid())))
                .await();
    }

    /** Decides what becomes of the next permit requests; those after them are answered. */
    synchronized void next(Fate... next) {
        fates.addAll(List.of(next));
    }

    /** Whether all those have come. */
    synchronized boolean isMet() {
        return fates.isEmpty();
    }

    /** Sends the replies that were to come later. */
    synchronized void answer() {
        later.forEach(Runnable::run);
        later.clear();
    }

    synchronized long reserved(String pod) {
        return reserved.getOrDefault(pod, 0L);
    }

    /** From now on the lowest and the highest reservation of that pod are remembered. */
    synchronized void watch(String pod) {
        watched = pod;
        lowest = reserved(pod);
        highest = lowest;
    }

    synchronized long lowest() {
        return lowest;
    }

    synchronized long highest() {
        return highest;
    }

    /** How many permit requests had this target. */
    synchronized long requests(long target) {
        return targets.stream().filter(known -> known == target).count();
    }

    /** How often that pod was observed. */
    synchronized long observations(String pod) {
        return observations.getOrDefault(pod, 0L);
    }

    private synchronized Future<LoadReply> load(LoadNode list) {
        list.vms().forEach(vm -> observed(vm.pod(), vm.sizes().inUse()));
        return Future.succeededFuture(new LoadReply(reserved.size(), 0));
    }

    private synchronized void observed(String pod, Resources size) {
        observations.merge(pod, 1L, Long::sum);
        boolean follows = !sessions.containsKey(pod);
        set(pod, follows ? size.milliCpu() : Math.max(size.milliCpu(), reserved(pod)));
    }

    private synchronized void gone(String pod) {
        reserved.remove(pod);
        sessions.remove(pod);
    }

    private void set(String pod, long milliCpu) {
        reserved.put(pod, milliCpu);
        if (pod.equals(watched)) {
            lowest = Math.min(lowest, milliCpu);
            highest = Math.max(highest, milliCpu);
        }
    }

    private synchronized Future<OpenReply> open(OpenSession request) {
        if (!reserved.containsKey(request.pod())) {
            return Future.succeededFuture(new OpenReply.Refused(RefusalCause.POD_UNKNOWN));
        }
        long session = sessions.merge(request.pod(), 1L, Long::sum);
        overtaken.forEach(Runnable::run);
        overtaken.clear();
        return Future.succeededFuture(new OpenReply.Opened(session, new Resources(reserved(request.pod()), 0), false));
    }

    private synchronized Future<PermitReply> permit(PermitRequest request) {
        targets.add(request.target().milliCpu());
        Promise<PermitReply> reply = Promise.promise();
        var fate = fates.isEmpty() ? Fate.ANSWERED : fates.remove();
        switch (fate) {
            case ANSWERED -> reply.complete(rule(request));
            case LOST -> {
                // Nobody replies.
            }
            case UNANSWERED -> rule(request);
            case ANSWERED_LATER -> {
                var ruled = rule(request);
                later.add(() -> reply.complete(ruled));
            }
            case OVERTAKEN -> overtaken.add(() -> reply.complete(rule(request)));
        }
        return reply.future();
    }

    private PermitReply rule(PermitRequest request) {
        var pod = request.pod();
        long current = sessions.getOrDefault(pod, 0L);
        if (request.session() != current) {
            return new PermitReply.Superseded(current, "");
        }
        long before = reserved(pod);
        long target = request.target().milliCpu();
        long room =
                total - reserved.values().stream().mapToLong(Long::longValue).sum();
        long permit = target <= before ? target : before + Math.min(target - before, Math.max(0, room));
        long exposed = request.use().orElseThrow().exposure().milliCpu();
        set(pod, Math.max(permit, Math.min(exposed, before)));
        var decision = new KindDecision(
                target <= before ? KindDecision.Rule.NOTED : KindDecision.Rule.GRANTED,
                before,
                target,
                permit,
                room,
                0,
                total);
        return new PermitReply.Ruled(
                current,
                request.seq(),
                new Resources(permit, request.target().memoryBytes()),
                Duration.ofSeconds(10),
                false,
                decision,
                decision);
    }
}
