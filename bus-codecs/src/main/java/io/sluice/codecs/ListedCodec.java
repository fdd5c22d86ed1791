package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.cluster.Listed;
import io.sluice.messages.cluster.ListedMigrations;
import java.util.HashSet;

/** v2: nodes, pods, vms i32, migrations?: version i64, uids texts, sorted. */
public final class ListedCodec extends WireCodec<Listed> {
    /** The codec. */
    public ListedCodec() {
        super("cluster.listed", 2);
    }

    @Override
    protected void write(Listed message, WireWriter out) {
        out.i32(message.nodes()).i32(message.pods()).i32(message.vms());
        out.optional(
                message.migrations(),
                (to, held) -> to.i64(held.version())
                        .list(held.uids().stream().sorted().toList(), WireWriter::text));
    }

    @Override
    protected Listed read(int version, WireReader in) {
        return new Listed(in.i32(), in.i32(), in.i32(), in.optional(ListedCodec::migrations));
    }

    private static ListedMigrations migrations(WireReader in) {
        return new ListedMigrations(in.i64(), new HashSet<>(in.list(WireReader::text)));
    }
}
