package io.sluice.codecs.vm;

import io.sluice.codecs.LongTextPart;
import io.sluice.messages.vm.ScaleJob;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: namespace, name, version texts, status long text, target's api version, kind, name, version texts, replicas i32,
 * resizes, each: pod text, size resources.
 */
public final class ScaleJobCodec extends WireCodec<ScaleJob> {
    /** The codec. */
    public ScaleJobCodec() {
        super("vm.scale-job", 1);
    }

    @Override
    protected void write(ScaleJob message, WireWriter out) {
        out.text(message.namespace()).text(message.name()).text(message.version());
        LongTextPart.write(out, message.status());
        var target = message.target();
        out.text(target.apiVersion())
                .text(target.kind())
                .text(target.name())
                .text(target.version())
                .i32(message.replicas())
                .list(
                        message.resizes(),
                        (part, resize) -> part.text(resize.pod()).resources(resize.size()));
    }

    @Override
    protected ScaleJob read(int version, WireReader in) {
        return new ScaleJob(
                in.text(),
                in.text(),
                in.text(),
                LongTextPart.read(in),
                new ScaleJob.Target(in.text(), in.text(), in.text(), in.text()),
                in.i32(),
                in.list(part -> new ScaleJob.Resize(part.text(), part.resources())));
    }
}
