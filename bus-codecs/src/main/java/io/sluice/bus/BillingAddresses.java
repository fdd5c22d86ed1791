package io.sluice.bus;

import io.sluice.codecs.billing.ReadVmBillCodec;
import io.sluice.codecs.billing.VmBillCodec;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.billing.VmBill;
import java.time.Duration;

/** Requests about what is billed. */
public final class BillingAddresses {
    /** What was billed of one VM in the last hours. */
    public static final RequestAddress<ReadVmBill, VmBill> VM_BILL = new RequestAddress<>(
            "billing.vm-bill", new ReadVmBillCodec(), new VmBillCodec(), Duration.ofSeconds(2), 100);

    private BillingAddresses() {}
}
