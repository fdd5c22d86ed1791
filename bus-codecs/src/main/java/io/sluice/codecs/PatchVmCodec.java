package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.vm.PatchVm;

/** v1: vm, target resources, revision, fence, nextFence texts, sendWithin duration. */
public final class PatchVmCodec extends WireCodec<PatchVm> {
    /** The codec. */
    public PatchVmCodec() {
        super("vm.patch-vm", 1);
    }

    @Override
    protected void write(PatchVm message, WireWriter out) {
        out.vm(message.vm())
                .resources(message.target())
                .revision(message.revision())
                .text(message.fence())
                .text(message.nextFence())
                .duration(message.sendWithin());
    }

    @Override
    protected PatchVm read(int version, WireReader in) {
        return new PatchVm(in.vm(), in.resources(), in.revision(), in.text(), in.text(), in.duration());
    }
}
