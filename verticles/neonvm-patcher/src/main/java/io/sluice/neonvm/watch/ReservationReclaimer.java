package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.neonvm.core.objects.VmSizeReader;
import io.sluice.neonvm.patch.VmClaims;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
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
 * Reclaims reservations of VMs without an agent: those that were recovered or found, and those of VMs that are not
 * autoscaled any more. It claims the VM's fence, so that no late patch can be applied any more. Then it has the VM
 * reserved at the size that this write returned.
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
    /** By node and pod, the instant before which the ledger does not reclaim a reservation. */
    private final Map<String, Map<String, Instant>> tooEarly = new HashMap<>();

    private boolean closed;

    private record Appointment(Instant at, long timer) {}

    /**
     * A reclaimer without any pending node.
     *
     * @param vmInPod the VM that runs in the pod with that uid
     * @param leads whether this process still reclaims
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

    /** Reclaims the node's open reservations after that time, or sooner if an earlier run is due. */
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
            reclaimAll(node);
        });
        appointments.put(node, new Appointment(at, timer));
    }

    /** Starts no more runs. */
    void close() {
        closed = true;
    }

    private void reclaimAll(String node) {
        if (closed || !leads.getAsBoolean()) {
            return;
        }
        var before = Optional.ofNullable(tooEarly.remove(node)).orElse(Map.of());
        var later = new HashMap<String, Instant>();
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .compose(snapshot -> {
                    var settled = Future.succeededFuture(Optional.<Instant>empty());
                    for (var ledger : snapshot.nodes()) {
                        for (var reservation : ledger.reservations()) {
                            if (ledger.node().equals(node)
                                    && reservation.contact().unsettled()) {
                                settled = settled.compose(done -> reclaim(node, reservation, before)
                                        .onSuccess(at -> at.ifPresent(due -> later.put(reservation.pod(), due))));
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

    /**
     * Returns when to try again; empty if the reservation is reclaimed. Claims no fence before the ledger may reclaim.
     */
    private Future<Optional<Instant>> reclaim(String node, ReservationView reservation, Map<String, Instant> before) {
        var due = Optional.ofNullable(before.get(reservation.pod()));
        return due.filter(clock.instant()::isBefore).isPresent()
                ? Future.succeededFuture(due)
                : reclaim(node, reservation);
    }

    private Optional<Instant> soon() {
        return Optional.of(clock.instant().plus(AGAIN));
    }

    private Future<Optional<Instant>> reclaim(String node, ReservationView reservation) {
        var vm = vmInPod.apply(reservation.pod());
        if (vm.isEmpty() || !leads.getAsBoolean()) {
            return Future.succeededFuture(soon());
        }
        var runner = ClaimVm.reclaimer(Long.toHexString(random.nextLong()));
        var id = vm.get().vm();
        var reclaimed = ScaledPodKeys.isPod(id)
                ? bus.request(PodAddresses.CLAIM, new ClaimVm(id, runner))
                        .compose(reply -> reclaim(node, reservation, reply))
                : claims.claim(id, runner).compose(object -> reclaim(node, reservation, object));
        return reclaimed.otherwise(failure -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, vm.get().vm().label())
                    .addKeyValue(LogKeys.REASON, KubernetesApi.words(failure))
                    .log("The reservation of a VM without an agent could not be reclaimed yet; trying again.");
            return soon();
        });
    }

    /**
     * While the driver is still at work, it may apply more than the object shows by now. The approved amount counts
     * because of agents that do not use fences. The agents of a VM that is not autoscaled have stopped.
     */
    private Future<Optional<Instant>> reclaim(String node, ReservationView reservation, JsonNode object) {
        var sizes = VmSizeReader.read(object);
        if (!VmReader.isSettled(object, sizes)) {
            return Future.succeededFuture(soon());
        }
        var amounts =
                reservation.traits().autoscaled() ? VmReader.largest(sizes, VmReader.approved(object)) : sizes.inUse();
        return reclaim(node, reservation, amounts);
    }

    private Future<Optional<Instant>> reclaim(String node, ReservationView reservation, ClaimReply ofPod) {
        return switch (ofPod) {
            case ClaimReply.Claimed(var _, var sizes, var settled, var _)
            when settled -> reclaim(node, reservation, sizes.inUse());
            case ClaimReply.Claimed _ -> Future.succeededFuture(soon());
            case ClaimReply.Failed(var reason) -> Future.failedFuture(reason);
        };
    }

    private Future<Optional<Instant>> reclaim(String node, ReservationView reservation, Resources amounts) {
        return bus.request(
                        LedgerAddresses.RECLAIM, new Reclaim(node, reservation.pod(), amounts, reservation.session()))
                .map(reply -> reclaimed(node, reservation, reply));
    }

    private Optional<Instant> reclaimed(String node, ReservationView reservation, ReclaimReply reply) {
        return switch (reply) {
            case ReclaimReply.Settled(var reserved) -> {
                LOG.atInfo()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.VM, reservation.namespace() + "/" + reservation.vmName())
                        .addKeyValue(LogKeys.FROM, Quantities.text(reservation.reserved()))
                        .addKeyValue(LogKeys.TO, Quantities.text(reserved))
                        .log("The reservation of a VM without an agent was lowered to its observed use.");
                yield Optional.empty();
            }
            case ReclaimReply.NotRecovered() -> Optional.empty();
            case ReclaimReply.TooEarly(var retryAfter) ->
                Optional.of(clock.instant().plus(retryAfter));
        };
    }
}
