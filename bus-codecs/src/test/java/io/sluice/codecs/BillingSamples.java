package io.sluice.codecs;

import io.sluice.codecs.billing.ReadVmBillCodec;
import io.sluice.codecs.billing.VmBillCodec;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.billing.VmBill;
import java.time.Instant;
import java.util.List;

/** Messages about what is billed, and their bytes on the wire. */
final class BillingSamples {
    static final List<Sample<?>> ALL = List.of(
            Sample.of(new ReadVmBillCodec(), new ReadVmBill("ns", "db", "n1"), """
                01 00000002 6e73 00000002 6462 00000002 6e31\
                """),
            Sample.of(
                    new VmBillCodec(),
                    new VmBill.Billed(
                            Instant.ofEpochSecond(1_700_000_000, 500_000_000),
                            List.of(new VmBill.Hour(1_699_999_200, 7_200, 3_600, 1_500, 250))),
                    """
                    01 01 000000006553f100 1dcd6500 00000001
                    000000006553ede0 0000000000001c20 0000000000000e10 00000000000005dc 00000000000000fa\
                    """),
            Sample.of(new VmBillCodec(), new VmBill.Unknown(50_000), """
                01 02 0000c350\
                """));

    private BillingSamples() {}
}
