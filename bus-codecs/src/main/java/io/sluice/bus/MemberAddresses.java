package io.sluice.bus;

import io.sluice.codecs.member.DumpReplyCodec;
import io.sluice.codecs.member.DumpRequestCodec;
import io.sluice.codecs.member.MemberStatusCodec;
import io.sluice.codecs.member.MemberStatusRequestCodec;
import io.sluice.codecs.member.TapBatchCodec;
import io.sluice.codecs.member.TapRequestCodec;
import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.DumpRequest;
import io.sluice.messages.member.MemberStatus;
import io.sluice.messages.member.MemberStatusRequest;
import io.sluice.messages.member.TapBatch;
import io.sluice.messages.member.TapRequest;
import java.time.Duration;

/** Requests to one process about itself, sent {@link RequestAddress#at} it. */
public final class MemberAddresses {
    /** Whether the process replies, and its status. */
    public static final RequestAddress<MemberStatusRequest, MemberStatus> STATUS = new RequestAddress<>(
            "member.status", new MemberStatusRequestCodec(), new MemberStatusCodec(), Duration.ofSeconds(1), 1_000);

    /** The messages on the process's bus. */
    public static final RequestAddress<TapRequest, TapBatch> TAP = new RequestAddress<>(
            "member.tap", new TapRequestCodec(), new TapBatchCodec(), Duration.ofSeconds(1), 1_000);

    /** The process's state, for operators. */
    public static final RequestAddress<DumpRequest, DumpReply> DUMP = new RequestAddress<>(
            "member.dump", new DumpRequestCodec(), new DumpReplyCodec(), Duration.ofSeconds(6), 10);

    private MemberAddresses() {}
}
