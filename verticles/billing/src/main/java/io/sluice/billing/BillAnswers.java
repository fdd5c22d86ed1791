package io.sluice.billing;

import io.sluice.billing.core.UsageHours;
import io.sluice.bus.BillingAddresses;
import io.sluice.bus.Bus;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.billing.VmBill;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replies with what this process billed of one VM in the last hours while it leads. A request for what another process
 * bills is forwarded to that one. All methods run on one context.
 */
final class BillAnswers {
    private final Bus bus;
    private final InstantSource clock;
    private final String here;
    private final Function<ReadVmBill, Optional<String>> elsewhere;
    private Optional<UsageHours> hours = Optional.empty();

    /**
     * Creates answers of a process that does not lead yet.
     *
     * @param here where this process alone is reached; empty if no other process may bill
     * @param elsewhere where the process that bills the VM is reached, unless it is this one
     */
    BillAnswers(Bus bus, InstantSource clock, String here, Function<ReadVmBill, Optional<String>> elsewhere) {
        this.bus = bus;
        this.clock = clock;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    Future<?> serve() {
        return Future.all(
                bus.serve(BillingAddresses.VM_BILL, this::bill),
                here.isEmpty()
                        ? Future.succeededFuture()
                        : bus.serve(BillingAddresses.VM_BILL.at(here), this::billHere));
    }

    /** This process bills from now on; its replies lack what others billed. */
    void lead(Instant now) {
        hours = Optional.of(new UsageHours(now));
    }

    void standBy() {
        hours = Optional.empty();
    }

    void add(UsageCommit commit) {
        hours.ifPresent(kept -> {
            commit.charges().forEach(kept::billed);
            commit.gaps().forEach(kept::missed);
        });
    }

    private Future<VmBill> bill(ReadVmBill request) {
        return elsewhere
                .apply(request)
                .map(there -> bus.request(BillingAddresses.VM_BILL.at(there), request))
                .orElseGet(() -> billHere(request));
    }

    private Future<VmBill> billHere(ReadVmBill request) {
        return hours.map(kept ->
                        Future.succeededFuture(kept.of(request.namespace() + "/" + request.vmName(), clock.instant())))
                .orElseGet(() -> Future.failedFuture("this process does not lead billing"));
    }
}
