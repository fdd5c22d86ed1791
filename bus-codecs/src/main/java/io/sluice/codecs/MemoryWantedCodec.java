package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.monitor.MemoryWanted;

/** v1: vm, generation i64. v2: at text. */
public final class MemoryWantedCodec extends WireCodec<MemoryWanted> {
    /** The codec. */
    public MemoryWantedCodec() {
        super("monitor.memory-wanted", 2);
    }

    @Override
    protected void write(MemoryWanted message, WireWriter out) {
        out.vm(message.vm()).i64(message.generation()).text(message.at());
    }

    @Override
    protected MemoryWanted read(int version, WireReader in) {
        return new MemoryWanted(in.vm(), in.i64(), in.text());
    }
}
