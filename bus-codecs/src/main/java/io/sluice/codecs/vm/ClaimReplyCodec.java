package io.sluice.codecs.vm;

import io.sluice.codecs.ClusterParts;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.units.Revision;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * v1: tag u8, then for 1 (claimed) fence text, settled bool, sizes; for 2 (failed) reason text. v2: for 1, target
 * revision?.
 */
public final class ClaimReplyCodec extends WireCodec<ClaimReply> {
    private static final int CLAIMED = 1;
    private static final int FAILED = 2;

    /** The codec. */
    public ClaimReplyCodec() {
        super("vm.claim-reply", 2);
    }

    @Override
    protected void write(ClaimReply message, WireWriter out) {
        switch (message) {
            case ClaimReply.Claimed(var fence, var sizes, var settled, var target) -> {
                ClusterParts.write(sizes, out.u8(CLAIMED).text(fence).bool(settled));
                out.optional(target, WireWriter::revision);
            }
            case ClaimReply.Failed(var reason) -> out.u8(FAILED).text(reason);
        }
    }

    @Override
    protected ClaimReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case CLAIMED -> claimed(in);
            case FAILED -> new ClaimReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }

    private static ClaimReply claimed(WireReader in) {
        var fence = in.text();
        boolean settled = in.bool();
        var sizes = ClusterParts.sizes(in);
        Optional<Revision> target = in.optional(WireReader::revision);
        return new ClaimReply.Claimed(fence, sizes, settled, target);
    }
}
