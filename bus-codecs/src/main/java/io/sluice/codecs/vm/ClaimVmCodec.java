package io.sluice.codecs.vm;

import io.sluice.messages.vm.ClaimVm;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, runner text. */
public final class ClaimVmCodec extends WireCodec<ClaimVm> {
    /** The codec. */
    public ClaimVmCodec() {
        super("vm.claim-vm", 1);
    }

    @Override
    protected void write(ClaimVm message, WireWriter out) {
        out.vm(message.vm()).text(message.runner());
    }

    @Override
    protected ClaimVm read(int version, WireReader in) {
        return new ClaimVm(in.vm(), in.text());
    }
}
