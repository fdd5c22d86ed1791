package io.sluice.bus;

import io.sluice.codecs.pressure.PressureDecisionCodec;
import io.sluice.codecs.pressure.RankNodeCodec;
import io.sluice.codecs.pressure.RankingCodec;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import java.time.Duration;

/** Requests and events about migrations away from full nodes. */
public final class PressureAddresses {
    /** The order in which VMs would leave a node. */
    public static final RequestAddress<RankNode, Ranking> RANK =
            new RequestAddress<>("pressure.rank", new RankNodeCodec(), new RankingCodec(), Duration.ofSeconds(2), 100);

    /** A decision about migrations away from a node. */
    public static final EventAddress<PressureDecision> DECISION =
            new EventAddress<>("pressure.decision", new PressureDecisionCodec());

    private PressureAddresses() {}
}
