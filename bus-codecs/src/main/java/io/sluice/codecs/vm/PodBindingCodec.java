package io.sluice.codecs.vm;

import io.sluice.messages.vm.PodBinding;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (bound) node text; for 2 (unbound), 3 (gone) nothing; for 4 (refused), 5 (in doubt) reason
 * text.
 */
public final class PodBindingCodec extends WireCodec<PodBinding> {
    private static final int BOUND = 1;
    private static final int UNBOUND = 2;
    private static final int GONE = 3;
    private static final int REFUSED = 4;
    private static final int IN_DOUBT = 5;

    /** The codec. */
    public PodBindingCodec() {
        super("vm.pod-binding", 1);
    }

    @Override
    protected void write(PodBinding message, WireWriter out) {
        switch (message) {
            case PodBinding.Bound(var node) -> out.u8(BOUND).text(node);
            case PodBinding.Unbound() -> out.u8(UNBOUND);
            case PodBinding.Gone() -> out.u8(GONE);
            case PodBinding.Refused(var reason) -> out.u8(REFUSED).text(reason);
            case PodBinding.InDoubt(var reason) -> out.u8(IN_DOUBT).text(reason);
        }
    }

    @Override
    protected PodBinding read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case BOUND -> new PodBinding.Bound(in.text());
            case UNBOUND -> new PodBinding.Unbound();
            case GONE -> new PodBinding.Gone();
            case REFUSED -> new PodBinding.Refused(in.text());
            case IN_DOUBT -> new PodBinding.InDoubt(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
