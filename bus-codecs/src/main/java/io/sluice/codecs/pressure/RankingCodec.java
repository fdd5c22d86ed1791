package io.sluice.codecs.pressure;

import io.sluice.messages.pressure.Ranking;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: ranks, each: pod, vmName texts, candidate bool, reason text. */
public final class RankingCodec extends WireCodec<Ranking> {
    /** The codec. */
    public RankingCodec() {
        super("pressure.ranking", 1);
    }

    @Override
    protected void write(Ranking message, WireWriter out) {
        out.list(
                message.ranks(),
                (to, rank) -> to.text(rank.pod())
                        .text(rank.vmName())
                        .bool(rank.candidate())
                        .text(rank.reason()));
    }

    @Override
    protected Ranking read(int version, WireReader in) {
        return new Ranking(in.list(from -> new Ranking.Rank(from.text(), from.text(), from.bool(), from.text())));
    }
}
