package io.sluice.codecs.vm;

import io.sluice.messages.vm.PatchVm;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, target resources, revision, fence, nextFence texts, sendWithin duration. v2: podName text. */
public final class PatchVmCodec extends WireCodec<PatchVm> {
    /** The codec. */
    public PatchVmCodec() {
        super("vm.patch-vm", 2);
    }

    @Override
    protected void write(PatchVm message, WireWriter out) {
        out.vm(message.vm())
                .resources(message.target())
                .revision(message.revision())
                .text(message.fence())
                .text(message.nextFence())
                .duration(message.sendWithin())
                .text(message.podName());
    }

    @Override
    protected PatchVm read(int version, WireReader in) {
        var vm = in.vm();
        var target = in.resources();
        var revision = in.revision();
        var fence = in.text();
        var nextFence = in.text();
        var sendWithin = in.duration();
        var podName = in.text();
        return new PatchVm(vm, podName, target, revision, fence, nextFence, sendWithin);
    }
}
