package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.pressure.Ranking;

/** v1: ranks, each: member, vmName texts, candidate bool, reason text. */
public final class RankingCodec extends WireCodec<Ranking> {
    /** The codec. */
    public RankingCodec() {
        super("pressure.ranking", 1);
    }

    @Override
    protected void write(Ranking message, WireWriter out) {
        out.list(
                message.ranks(),
                (to, rank) -> to.text(rank.member())
                        .text(rank.vmName())
                        .bool(rank.candidate())
                        .text(rank.reason()));
    }

    @Override
    protected Ranking read(int version, WireReader in) {
        return new Ranking(in.list(from -> new Ranking.Rank(from.text(), from.text(), from.bool(), from.text())));
    }
}
