package io.sluice.kube;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.ReservationView;
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
 * Runners of many VMs that ask for a unit more and a unit less as fast as they are answered, and say so as runners do.
 */
final class PermitLoad {
    /** Runners say where their VM stands no more often. */
    private static final long SAID_EVERY_NANOS = Duration.ofMillis(250).toNanos();

    private final Bus bus;
    private final String node;
    private final List<Client> askers;

    private static final class Client {
        private final ReservationView member;
        private final VmId vm;
        private final long session;
        private long seq;
        private long saidAt;

        Client(ReservationView member, VmId vm, long session) {
            this.member = member;
            this.vm = vm;
            this.session = session;
        }
    }

    /** Opens a session for each VM of a node. */
    PermitLoad(Bus bus, String node, List<ReservationView> members, Function<String, String> uids) {
        this.bus = bus;
        this.node = node;
        askers = members.stream()
                .map(member -> new Client(
                        member,
                        new VmId("neonvm", member.namespace(), member.vmName(), uids.apply(member.vmName())),
                        open(member)))
                .toList();
    }

    private long open(ReservationView member) {
        var opened =
                Town.done(bus.request(LedgerAddresses.OPEN, new OpenSession(node, member.member(), runner(member), 0)));
        return ((OpenReply.Opened) opened).session();
    }

    private static String runner(ReservationView member) {
        return "runner-of-" + member.vmName();
    }

    /** How many permits a second were answered, for so long. */
    double perSecond(Duration length) {
        var answered = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + length.toNanos();
        Town.done(Future.join(askers.stream()
                .map(asker -> {
                    var done = Promise.<Void>promise();
                    ask(asker, end, answered, done);
                    return done.future();
                })
                .toList()));
        return answered.get() * 1e9 / (System.nanoTime() - begun);
    }

    private void ask(Client asker, long end, AtomicLong answered, Promise<Void> done) {
        if (System.nanoTime() >= end) {
            done.complete();
            return;
        }
        asker.seq++;
        var target = Vms.units(1 + (int) (asker.seq % 2));
        var question = new PermitRequest(
                node,
                asker.member.member(),
                runner(asker.member),
                asker.session,
                asker.seq,
                Vms.UNIT,
                target,
                Optional.empty(),
                Optional.empty());
        bus.request(LedgerAddresses.PERMIT, question).onComplete(ended -> {
            if (ended.result() instanceof PermitReply.Ruled ruled) {
                answered.incrementAndGet();
                say(asker, ruled.permit());
            }
            ask(asker, end, answered, done);
        });
    }

    private void say(Client asker, Resources permit) {
        long now = System.nanoTime();
        if (now - asker.saidAt >= SAID_EVERY_NANOS) {
            asker.saidAt = now;
            bus.publish(
                    AgentAddresses.STATUS,
                    new RunnerStatus(
                            asker.vm,
                            node,
                            asker.member.member(),
                            permit,
                            Optional.of(permit),
                            Optional.of(permit),
                            Waiting.NOTHING,
                            Duration.ZERO,
                            GoalBasis.NONE,
                            ""));
        }
    }
}
