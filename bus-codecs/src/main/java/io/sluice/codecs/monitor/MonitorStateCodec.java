package io.sluice.codecs.monitor;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, generation i64, connected bool, reason text. v2: at text. */
public final class MonitorStateCodec extends WireCodec<MonitorState> {
    /** The codec. */
    public MonitorStateCodec() {
        super("monitor.monitor-state", 2);
    }

    @Override
    protected void write(MonitorState message, WireWriter out) {
        out.vm(message.vm())
                .i64(message.generation())
                .bool(message.connected())
                .text(message.reason())
                .text(message.at());
    }

    @Override
    protected MonitorState read(int version, WireReader in) {
        return new MonitorState(in.vm(), in.i64(), in.bool(), in.text(), in.text());
    }
}
