package io.sluice.codecs.member;

import io.sluice.messages.member.MemberStatusRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: requester text. */
public final class MemberStatusRequestCodec extends WireCodec<MemberStatusRequest> {
    /** The codec. */
    public MemberStatusRequestCodec() {
        super("member.member-status-request", 1);
    }

    @Override
    protected void write(MemberStatusRequest message, WireWriter out) {
        out.text(message.requester());
    }

    @Override
    protected MemberStatusRequest read(int version, WireReader in) {
        return new MemberStatusRequest(in.text());
    }
}
