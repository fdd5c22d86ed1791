package io.sluice.codecs.monitor;

import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm. */
public final class DetachMonitorCodec extends WireCodec<DetachMonitor> {
    /** The codec. */
    public DetachMonitorCodec() {
        super("monitor.detach-monitor", 1);
    }

    @Override
    protected void write(DetachMonitor message, WireWriter out) {
        out.vm(message.vm());
    }

    @Override
    protected DetachMonitor read(int version, WireReader in) {
        return new DetachMonitor(in.vm());
    }
}
