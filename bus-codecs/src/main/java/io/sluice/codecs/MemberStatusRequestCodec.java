package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.member.MemberStatusRequest;

/** v1: asker text. */
public final class MemberStatusRequestCodec extends WireCodec<MemberStatusRequest> {
    /** The codec. */
    public MemberStatusRequestCodec() {
        super("member.member-status-request", 1);
    }

    @Override
    protected void write(MemberStatusRequest message, WireWriter out) {
        out.text(message.asker());
    }

    @Override
    protected MemberStatusRequest read(int version, WireReader in) {
        return new MemberStatusRequest(in.text());
    }
}
