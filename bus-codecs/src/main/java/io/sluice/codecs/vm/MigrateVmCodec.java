package io.sluice.codecs.vm;

import io.sluice.messages.vm.MigrateVm;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: vm, podName, roomOn texts, completionTimeout duration, attempt text. */
public final class MigrateVmCodec extends WireCodec<MigrateVm> {
    /** The codec. */
    public MigrateVmCodec() {
        super("vm.migrate-vm", 2);
    }

    @Override
    protected void write(MigrateVm message, WireWriter out) {
        out.vm(message.vm())
                .text(message.podName())
                .text(message.roomOn())
                .duration(message.completionTimeout())
                .text(message.attempt());
    }

    @Override
    protected MigrateVm read(int version, WireReader in) {
        return new MigrateVm(in.vm(), in.text(), in.text(), in.duration(), in.text());
    }
}
