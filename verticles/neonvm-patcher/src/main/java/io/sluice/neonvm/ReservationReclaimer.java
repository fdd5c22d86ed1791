package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.core.VmReader;
import io.sluice.neonvm.core.VmSizeReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees what a VM was booked at for safety's sake, as one that was loaded, came past the ledger, or was switched off,
 * where no agent speaks for it: its fence is taken over, so that nobody's late patch can land any more, and it is
 * booked at the size that this very write showed.
 */
final class ReservationReclaimer {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationReclaimer.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Bus bus;
    private final VmClaims claims;
    private final Function<String, Optional<VmObserved>> vmInPod;
    private final RandomGenerator random;
    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final Map<String, Appointment> appointments = new HashMap<>();
    /** By node, until when the ledger does not settle a member. */
    private final Map<String, Map<String, Instant>> tooEarly = new HashMap<>();

    private boolean closed;

    private record Appointment(Instant at, long timer) {}

    /**
     * One that looks after nothing yet.
     *
     * @param vmInPod the VM that runs in the pod with that uid
     * @param leads whether this is still for this process to do
     */
    ReservationReclaimer(
            Vertx vertx,
            Bus bus,
            VmClaims claims,
            Function<String, Optional<VmObserved>> vmInPod,
            RandomGenerator random,
            BooleanSupplier leads,
            InstantSource clock) {
        this.vertx = vertx;
        this.bus = bus;
        this.claims = claims;
        this.vmInPod = vmInPod;
        this.random = random;
        this.leads = leads;
        this.clock = clock;
    }

    /** Settles the node's members that are to be settled once that time is over, or sooner where that is due. */
    void after(Duration wait, String node) {
        var at = clock.instant().plus(wait);
        var next = appointments.get(node);
        if (closed || next != null && !at.isBefore(next.at())) {
            return;
        }
        if (next != null) {
            vertx.cancelTimer(next.timer());
        }
        long timer = vertx.setTimer(Math.max(1, wait.toMillis()), fired -> {
            appointments.remove(node);
            settleAll(node);
        });
        appointments.put(node, new Appointment(at, timer));
    }

    /** Looks after nothing any more. */
    void close() {
        closed = true;
    }

    private void settleAll(String node) {
        if (closed || !leads.getAsBoolean()) {
            return;
        }
        var before = Optional.ofNullable(tooEarly.remove(node)).orElse(Map.of());
        var later = new HashMap<String, Instant>();
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .compose(snapshot -> {
                    var settled = Future.succeededFuture(Optional.<Instant>empty());
                    for (var books : snapshot.nodes()) {
                        for (var member : books.members()) {
                            if (books.node().equals(node) && member.contact().unsettled()) {
                                settled = settled.compose(done -> settle(node, member, before)
                                        .onSuccess(at -> at.ifPresent(due -> later.put(member.member(), due))));
                            }
                        }
                    }
                    return settled;
                })
                .onSuccess(done -> {
                    if (!later.isEmpty()) {
                        tooEarly.put(node, later);
                        after(Duration.between(clock.instant(), Collections.min(later.values())), node);
                    }
                })
                .onFailure(lost -> after(AGAIN, node));
    }

    /** Answers when to try again; empty where the member is settled. Claims nothing before the ledger may settle it. */
    private Future<Optional<Instant>> settle(String node, ReservationView member, Map<String, Instant> before) {
        var due = Optional.ofNullable(before.get(member.member()));
        return due.filter(clock.instant()::isBefore).isPresent() ? Future.succeededFuture(due) : settle(node, member);
    }

    private Optional<Instant> soon() {
        return Optional.of(clock.instant().plus(AGAIN));
    }

    private Future<Optional<Instant>> settle(String node, ReservationView member) {
        var vm = vmInPod.apply(member.member());
        if (vm.isEmpty() || !leads.getAsBoolean()) {
            return Future.succeededFuture(soon());
        }
        var runner = ClaimVm.settler(Long.toHexString(random.nextLong()));
        return claims.claim(vm.get().vm(), runner)
                .compose(object -> settle(node, member, object))
                .otherwise(failure -> {
                    LOG.atWarn()
                            .addKeyValue(LogKeys.VM, vm.get().vm().label())
                            .addKeyValue(LogKeys.REASON, KubernetesApi.words(failure))
                            .log("A VM that no agent speaks for stays booked at what it might use; trying again.");
                    return soon();
                });
    }

    /**
     * While the driver is still at work, it may be at work on more than the object shows by now. What was once approved
     * counts for agents that heed no fence; those of a VM that is not scaled have stopped.
     */
    private Future<Optional<Instant>> settle(String node, ReservationView member, JsonNode object) {
        var sizes = VmSizeReader.read(object);
        if (!VmReader.isSettled(object, sizes)) {
            return Future.succeededFuture(soon());
        }
        var amounts = member.traits().autoscaled() ? VmReader.largest(sizes, VmReader.approved(object)) : sizes.inUse();
        return bus.request(LedgerAddresses.SETTLE, new Reclaim(node, member.member(), amounts))
                .map(reply -> settled(node, member, reply));
    }

    private Optional<Instant> settled(String node, ReservationView member, ReclaimReply reply) {
        return switch (reply) {
            case ReclaimReply.Settled(var reserved) -> {
                LOG.atInfo()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.VM, member.namespace() + "/" + member.vmName())
                        .addKeyValue(LogKeys.FROM, Quantities.text(member.reserved()))
                        .addKeyValue(LogKeys.TO, Quantities.text(reserved))
                        .log("No agent speaks for the VM; it is booked at what it uses.");
                yield Optional.empty();
            }
            case ReclaimReply.NotRecovered() -> Optional.empty();
            case ReclaimReply.TooEarly(var retryAfter) ->
                Optional.of(clock.instant().plus(retryAfter));
        };
    }
}
