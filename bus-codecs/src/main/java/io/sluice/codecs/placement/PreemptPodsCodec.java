package io.sluice.codecs.placement;

import io.sluice.messages.placement.PreemptPods;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: uid text, candidates as a list of node text and victims texts. */
public final class PreemptPodsCodec extends WireCodec<PreemptPods> {
    /** The codec. */
    public PreemptPodsCodec() {
        super("placement.preempt-pods", 1);
    }

    @Override
    protected void write(PreemptPods message, WireWriter out) {
        out.text(message.uid())
                .list(
                        message.candidates(),
                        (to, candidate) -> to.text(candidate.node()).list(candidate.victims(), WireWriter::text));
    }

    @Override
    protected PreemptPods read(int version, WireReader in) {
        return new PreemptPods(
                in.text(), in.list(from -> new PreemptPods.Candidate(from.text(), from.list(WireReader::text))));
    }
}
