package io.sluice.bus;

import io.sluice.codecs.DumpReplyCodec;
import io.sluice.codecs.DumpRequestCodec;
import io.sluice.codecs.MemberStatusCodec;
import io.sluice.codecs.MemberStatusRequestCodec;
import io.sluice.codecs.TapBatchCodec;
import io.sluice.codecs.TapRequestCodec;
import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.DumpRequest;
import io.sluice.messages.member.MemberStatus;
import io.sluice.messages.member.MemberStatusRequest;
import io.sluice.messages.member.TapBatch;
import io.sluice.messages.member.TapRequest;
import java.time.Duration;

/** What each process tells the others of itself; asked {@link RequestAddress#at} one of them. */
public final class MemberAddresses {
    /** Whether it answers at all, and how it is. */
    public static final RequestAddress<MemberStatusRequest, MemberStatus> STATUS = new RequestAddress<>(
            "member.status", new MemberStatusRequestCodec(), new MemberStatusCodec(), Duration.ofSeconds(1), 1_000);

    /** What passes over its bus. */
    public static final RequestAddress<TapRequest, TapBatch> TAP = new RequestAddress<>(
            "member.tap", new TapRequestCodec(), new TapBatchCodec(), Duration.ofSeconds(1), 1_000);

    /** What it lets people read of its state. */
    public static final RequestAddress<DumpRequest, DumpReply> DUMP = new RequestAddress<>(
            "member.dump", new DumpRequestCodec(), new DumpReplyCodec(), Duration.ofSeconds(6), 10);

    private MemberAddresses() {}
}
