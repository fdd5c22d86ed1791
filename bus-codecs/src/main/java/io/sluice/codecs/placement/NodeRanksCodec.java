package io.sluice.codecs.placement;

import io.sluice.codecs.DeviceParts;
import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v3: tag u8, then for 1 (ranked) nodes, each: node text, obstacle u8, shortBy resources, score i32, kept for text,
 * shortOf fixed amounts, device misfit?; for 2 (pod not pending) nothing.
 */
public final class NodeRanksCodec extends WireCodec<NodeRanks> {
    private static final int RANKED = 1;
    private static final int POD_NOT_PENDING = 2;

    /** The codec. */
    public NodeRanksCodec() {
        super("placement.node-ranks", 3);
    }

    @Override
    protected void write(NodeRanks message, WireWriter out) {
        switch (message) {
            case NodeRanks.Ranked(var nodes) -> out.u8(RANKED).list(nodes, NodeRanksCodec::rank);
            case NodeRanks.PodNotPending() -> out.u8(POD_NOT_PENDING);
        }
    }

    @Override
    protected NodeRanks read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case RANKED -> new NodeRanks.Ranked(in.list(NodeRanksCodec::rank));
            case POD_NOT_PENDING -> new NodeRanks.PodNotPending();
            default -> throw in.unknownTag(tag);
        };
    }

    static void rank(WireWriter out, NodeRanks.NodeRank rank) {
        out.text(rank.node())
                .constant(EnumNumbers.PLACEMENT_OBSTACLE, rank.obstacle())
                .resources(rank.shortBy())
                .i32(rank.score())
                .text(rank.keptFor())
                .fixedAmounts(rank.shortOf())
                .optional(rank.device(), (to, misfit) -> DeviceParts.write(misfit, to));
    }

    static NodeRanks.NodeRank rank(WireReader in) {
        return new NodeRanks.NodeRank(
                in.text(),
                in.constant(EnumNumbers.PLACEMENT_OBSTACLE),
                in.resources(),
                in.i32(),
                in.text(),
                in.fixedAmounts(),
                in.optional(DeviceParts::misfit));
    }
}
