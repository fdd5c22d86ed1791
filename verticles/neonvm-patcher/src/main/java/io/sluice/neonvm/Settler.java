package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.core.VmReader;
import io.sluice.neonvm.core.VmSizeReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees what a loaded VM was booked at for safety's sake, where no agent speaks for it: its fence is taken over, so
 * that nobody's late patch can land any more, and it is booked at the size that this very write showed.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Bus bus;
    private final VmClaims claims;
    private final Function<String, Optional<VmSeen>> vmInPod;
    private final RandomGenerator random;
    private final BooleanSupplier leads;
    private final Set<String> scheduled = new HashSet<>();
    private boolean closed;

    /**
     * One that looks after nothing yet.
     *
     * @param vmInPod the VM that runs in the pod with that uid
     * @param leads whether this is still for this process to do
     */
    Settler(
            Vertx vertx,
            Bus bus,
            VmClaims claims,
            Function<String, Optional<VmSeen>> vmInPod,
            RandomGenerator random,
            BooleanSupplier leads) {
        this.vertx = vertx;
        this.bus = bus;
        this.claims = claims;
        this.vmInPod = vmInPod;
        this.random = random;
        this.leads = leads;
    }

    /** Looks after the node's recovered members once that time is over; one appointment a node is enough. */
    void after(Duration wait, String node) {
        if (!closed && scheduled.add(node)) {
            vertx.setTimer(Math.max(1, wait.toMillis()), timer -> {
                scheduled.remove(node);
                settleAll(node);
            });
        }
    }

    /** Looks after nothing any more. */
    void close() {
        closed = true;
    }

    private void settleAll(String node) {
        if (closed || !leads.getAsBoolean()) {
            return;
        }
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .compose(snapshot -> {
                    Future<Boolean> left = Future.succeededFuture(false);
                    for (var books : snapshot.nodes()) {
                        for (var member : books.members()) {
                            if (books.node().equals(node) && member.recovered()) {
                                left = left.compose(
                                        before -> settle(node, member).map(done -> before || !done));
                            }
                        }
                    }
                    return left;
                })
                .otherwise(true)
                .onSuccess(left -> {
                    if (left) {
                        after(AGAIN, node);
                    }
                });
    }

    /** Answers whether the member is settled. */
    private Future<Boolean> settle(String node, MemberBooks member) {
        var vm = vmInPod.apply(member.member());
        if (vm.isEmpty() || !leads.getAsBoolean()) {
            return Future.succeededFuture(false);
        }
        var runner = ClaimVm.settler(Long.toHexString(random.nextLong()));
        return claims.claim(vm.get().vm(), runner)
                .compose(object -> settle(node, member, object))
                .otherwise(failure -> {
                    LOG.atWarn()
                            .addKeyValue(LogKeys.VM, vm.get().vm().label())
                            .addKeyValue(LogKeys.REASON, KubernetesApi.words(failure))
                            .log("A VM that no agent speaks for stays booked at its maximum; trying again.");
                    return false;
                });
    }

    /** While the driver is still at work, it may be at work on more than the object shows by now. */
    private Future<Boolean> settle(String node, MemberBooks member, JsonNode object) {
        var sizes = VmSizeReader.read(object);
        if (!VmReader.isSettled(object, sizes)) {
            return Future.succeededFuture(false);
        }
        var amounts = VmReader.largest(sizes, VmReader.approved(object));
        return bus.request(LedgerAddresses.SETTLE, new Settle(node, member.member(), amounts))
                .map(reply -> settled(node, member, reply));
    }

    private static boolean settled(String node, MemberBooks member, SettleReply reply) {
        return switch (reply) {
            case SettleReply.Settled(var reserved) -> {
                LOG.atInfo()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.VM, member.namespace() + "/" + member.vmName())
                        .addKeyValue(LogKeys.FROM, Quantities.text(member.reserved()))
                        .addKeyValue(LogKeys.TO, Quantities.text(reserved))
                        .log("No agent spoke for the VM since the books were lost; it is booked at what it uses.");
                yield true;
            }
            case SettleReply.NotRecovered() -> true;
            case SettleReply.TooEarly tooEarly -> false;
        };
    }
}
