package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.HashSet;

/** v2: nodes, pods, vms i32, migrations?: version i64, uids texts, sorted. */
public final class FullListPublishedCodec extends WireCodec<FullListPublished> {
    /** The codec. */
    public FullListPublishedCodec() {
        super("cluster.full-list-published", 2);
    }

    @Override
    protected void write(FullListPublished message, WireWriter out) {
        out.i32(message.nodes()).i32(message.pods()).i32(message.vms());
        out.optional(
                message.migrations(),
                (to, held) -> to.i64(held.version())
                        .list(held.uids().stream().sorted().toList(), WireWriter::text));
    }

    @Override
    protected FullListPublished read(int version, WireReader in) {
        return new FullListPublished(in.i32(), in.i32(), in.i32(), in.optional(FullListPublishedCodec::migrations));
    }

    private static ObservedMigrations migrations(WireReader in) {
        return new ObservedMigrations(in.i64(), new HashSet<>(in.list(WireReader::text)));
    }
}
