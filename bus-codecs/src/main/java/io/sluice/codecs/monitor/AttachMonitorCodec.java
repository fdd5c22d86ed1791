package io.sluice.codecs.monitor;

import io.sluice.codecs.ClusterParts;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, endpoint. */
public final class AttachMonitorCodec extends WireCodec<AttachMonitor> {
    /** The codec. */
    public AttachMonitorCodec() {
        super("monitor.attach-monitor", 1);
    }

    @Override
    protected void write(AttachMonitor message, WireWriter out) {
        out.vm(message.vm());
        ClusterParts.write(message.endpoint(), out);
    }

    @Override
    protected AttachMonitor read(int version, WireReader in) {
        return new AttachMonitor(in.vm(), ClusterParts.endpoint(in));
    }
}
