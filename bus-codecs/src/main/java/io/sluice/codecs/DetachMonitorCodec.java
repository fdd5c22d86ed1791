package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.monitor.DetachMonitor;

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
