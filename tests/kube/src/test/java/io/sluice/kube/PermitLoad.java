package io.sluice.kube;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Runners of many VMs that request a unit more and a unit less as fast as they get replies, and publish their status.
 */
final class PermitLoad {
    /** The shortest interval between two statuses of a runner. */
    private static final long REPORTED_EVERY_NANOS = Duration.ofMillis(250).toNanos();

    private final Bus bus;
    private final String node;
    private final List<Client> askers;

    private static final class Client {
        private final ReservationView reservation;
        private final VmId vm;
        private final long session;
        private long seq;
        private long reportedAt;

        Client(ReservationView reservation, VmId vm, long session) {
            this.reservation = reservation;
            this.vm = vm;
            this.session = session;
        }
    }

    /** Opens a session for each VM of a node. */
    PermitLoad(Bus bus, String node, List<ReservationView> reservations, Function<String, String> uids) {
        this.bus = bus;
        this.node = node;
        askers = reservations.stream()
                .map(reservation -> new Client(
                        reservation,
                        new VmId(
                                "neonvm",
                                reservation.namespace(),
                                reservation.vmName(),
                                uids.apply(reservation.vmName())),
                        open(reservation)))
                .toList();
    }

    private long open(ReservationView reservation) {
        var opened = KubeFleet.done(
                bus.request(LedgerAddresses.OPEN, new OpenSession(node, reservation.pod(), runner(reservation), 0)));
        return ((OpenReply.Opened) opened).session();
    }

    private static String runner(ReservationView reservation) {
        return "runner-of-" + reservation.vmName();
    }

    /** The number of permits a second, over that time. */
    double perSecond(Duration length) {
        var answered = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + length.toNanos();
        KubeFleet.done(Future.join(askers.stream()
                .map(client -> {
                    var done = Promise.<Void>promise();
                    request(client, end, answered, done);
                    return done.future();
                })
                .toList()));
        return answered.get() * 1e9 / (System.nanoTime() - begun);
    }

    private void request(Client client, long end, AtomicLong answered, Promise<Void> done) {
        if (System.nanoTime() >= end) {
            done.complete();
            return;
        }
        client.seq++;
        var target = Vms.units(1 + (int) (client.seq % 2));
        var request = new PermitRequest(
                node,
                client.reservation.pod(),
                runner(client.reservation),
                client.session,
                client.seq,
                Vms.UNIT,
                target,
                Optional.empty(),
                Optional.empty());
        bus.request(LedgerAddresses.PERMIT, request).onComplete(ended -> {
            if (ended.result() instanceof PermitReply.Ruled ruled) {
                answered.incrementAndGet();
                report(client, ruled.permit());
            }
            request(client, end, answered, done);
        });
    }

    private void report(Client client, Resources permit) {
        long now = System.nanoTime();
        if (now - client.reportedAt >= REPORTED_EVERY_NANOS) {
            client.reportedAt = now;
            bus.publish(
                    AgentAddresses.STATUS,
                    new RunnerStatus(
                            client.vm,
                            node,
                            client.reservation.pod(),
                            permit,
                            Optional.of(permit),
                            Optional.of(permit),
                            Waiting.NOTHING,
                            Duration.ZERO,
                            GoalBasis.NONE,
                            "",
                            Optional.empty()));
        }
    }
}
