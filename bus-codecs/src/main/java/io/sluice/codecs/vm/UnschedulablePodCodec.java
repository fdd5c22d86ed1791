package io.sluice.codecs.vm;

import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid, namespace, name, scheduler, reason texts. */
public final class UnschedulablePodCodec extends WireCodec<UnschedulablePod> {
    /** The codec. */
    public UnschedulablePodCodec() {
        super("vm.unschedulable-pod", 1);
    }

    @Override
    protected void write(UnschedulablePod message, WireWriter out) {
        out.text(message.uid())
                .text(message.namespace())
                .text(message.name())
                .text(message.scheduler())
                .text(message.reason());
    }

    @Override
    protected UnschedulablePod read(int version, WireReader in) {
        return new UnschedulablePod(in.text(), in.text(), in.text(), in.text(), in.text());
    }
}
