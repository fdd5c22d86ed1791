package io.sluice.bus;

import io.sluice.codecs.PressureDecisionCodec;
import io.sluice.codecs.RankNodeCodec;
import io.sluice.codecs.RankingCodec;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import java.time.Duration;

/** What is asked and said of who leaves full nodes. */
public final class PressureAddresses {
    /** Who would leave a node first. */
    public static final RequestAddress<RankNode, Ranking> RANK =
            new RequestAddress<>("pressure.rank", new RankNodeCodec(), new RankingCodec(), Duration.ofSeconds(2), 100);

    /** Something was decided about who leaves a node. */
    public static final EventAddress<PressureDecision> DECISION =
            new EventAddress<>("pressure.decision", new PressureDecisionCodec());

    private PressureAddresses() {}
}
