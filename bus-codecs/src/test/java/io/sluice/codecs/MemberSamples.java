package io.sluice.codecs;

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
import java.util.List;

/** Messages of processes about themselves, and their bytes on the wire. */
final class MemberSamples {
    static final List<Sample<?>> ALL = List.of(
            Sample.of(new MemberStatusRequestCodec(), new MemberStatusRequest("1f3a"), """
                01 00000004 31663361\
                """),
            Sample.of(
                    new MemberStatusCodec(),
                    new MemberStatus(
                            "1f3a",
                            "0.1",
                            List.of("agent", "vm"),
                            Duration.ofMillis(1_500),
                            false,
                            List.of(new MemberStatus.Wait("peers", "no ledger")),
                            List.of(new MemberStatus.Count("runners", 7))),
                    """
                    01 00000004 31663361 00000003 302e31 00000002 00000005 6167656e74 00000002 766d
                    0000000000000001 1dcd6500 00 00000001 00000005 7065657273 00000009 6e6f206c6564676572
                    00000001 00000007 72756e6e657273 0000000000000007\
                    """),
            Sample.of(new TapRequestCodec(), new TapRequest("2b/1", 3, "db*", "n1", "ledger.*", "reply"), """
                01 00000004 32622f31 0000000000000003 00000003 64622a 00000002 6e31 00000008 6c65646765722e2a
                00000005 7265706c79\
                """),
            Sample.of(new TapBatchCodec(), new TapBatch(3, true, List.of("{}", ""), true, 9), """
                01 0000000000000003 01 00000002 00000001 00000002 7b7d 00000000 01 0000000000000009\
                """),
            Sample.of(new DumpRequestCodec(), new DumpRequest.Parts(), """
                01 01\
                """),
            Sample.of(new DumpRequestCodec(), new DumpRequest.Keys("2b/1", "agent", 1_000), """
                01 02 00000004 32622f31 00000005 6167656e74 000003e8\
                """),
            Sample.of(new DumpRequestCodec(), new DumpRequest.Piece("2b/1", "agent", "ns/db", 262_144), """
                01 03 00000004 32622f31 00000005 6167656e74 00000005 6e732f6462 00040000\
                """),
            Sample.of(new DumpReplyCodec(), new DumpReply.Parts(List.of("agent", "vm")), """
                01 01 00000002 00000005 6167656e74 00000002 766d\
                """),
            Sample.of(new DumpReplyCodec(), new DumpReply.Keys(List.of("a", "b"), true), """
                01 02 00000002 00000001 61 00000001 62 01\
                """),
            Sample.of(new DumpReplyCodec(), new DumpReply.Slice("{\"a\":1}", false), """
                01 03 00000001 00000007 7b2261223a317d 00\
                """),
            Sample.of(new DumpReplyCodec(), new DumpReply.Failed("gone"), """
                01 04 00000004 676f6e65\
                """));

    private MemberSamples() {}
}
