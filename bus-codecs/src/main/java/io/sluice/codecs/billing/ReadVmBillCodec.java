package io.sluice.codecs.billing;

import io.sluice.messages.billing.ReadVmBill;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: namespace, vmName, node texts. */
public final class ReadVmBillCodec extends WireCodec<ReadVmBill> {
    /** The codec. */
    public ReadVmBillCodec() {
        super("billing.read-vm-bill", 1);
    }

    @Override
    protected void write(ReadVmBill message, WireWriter out) {
        out.text(message.namespace()).text(message.vmName()).text(message.node());
    }

    @Override
    protected ReadVmBill read(int version, WireReader in) {
        return new ReadVmBill(in.text(), in.text(), in.text());
    }
}
