package io.sluice.codecs.placement;

import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: pods, each: uid, namespace, name, vmName texts, createdAtSeconds i64, amounts, charge resources, nodes as in
 * {@link NodeRanksCodec}; total i32.
 */
public final class PendingPodListCodec extends WireCodec<PendingPodList> {
    /** The codec. */
    public PendingPodListCodec() {
        super("placement.pending-pod-list", 3);
    }

    @Override
    protected void write(PendingPodList message, WireWriter out) {
        out.list(
                        message.pods(),
                        (to, pod) -> to.text(pod.uid())
                                .text(pod.namespace())
                                .text(pod.name())
                                .text(pod.vmName())
                                .i64(pod.createdAtSeconds())
                                .resources(pod.amounts())
                                .resources(pod.charge())
                                .list(pod.nodes(), NodeRanksCodec::rank))
                .i32(message.total());
    }

    @Override
    protected PendingPodList read(int version, WireReader in) {
        return new PendingPodList(in.list(PendingPodListCodec::pod), in.i32());
    }

    private static PendingPod pod(WireReader in) {
        return new PendingPod(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.resources(),
                in.resources(),
                in.list(NodeRanksCodec::rank));
    }
}
