package io.sluice.codecs.vm;

import io.sluice.messages.vm.MigrateReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: tag u8, then for 1 (begun) uid text, version i64; for 2 (refused) reason text; for 3 (in doubt) reason text. */
public final class MigrateReplyCodec extends WireCodec<MigrateReply> {
    private static final int BEGUN = 1;
    private static final int REFUSED = 2;
    private static final int IN_DOUBT = 3;

    /** The codec. */
    public MigrateReplyCodec() {
        super("vm.migrate-reply", 2);
    }

    @Override
    protected void write(MigrateReply message, WireWriter out) {
        switch (message) {
            case MigrateReply.Begun(var uid, var version) ->
                out.u8(BEGUN).text(uid).i64(version);
            case MigrateReply.Refused(var reason) -> out.u8(REFUSED).text(reason);
            case MigrateReply.InDoubt(var reason) -> out.u8(IN_DOUBT).text(reason);
        }
    }

    @Override
    protected MigrateReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case BEGUN -> new MigrateReply.Begun(in.text(), in.i64());
            case REFUSED -> new MigrateReply.Refused(in.text());
            case IN_DOUBT -> new MigrateReply.InDoubt(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
