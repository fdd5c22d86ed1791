package io.sluice.codecs.member;

import io.sluice.messages.member.MemberStatus;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: id, version texts, roles texts, uptime duration, ready bool; waits, each: part, sentence texts; counts, each:
 * what text, number i64.
 *
 * <p>Counts are named in words and are not fields of their own: what a role counts is for operators and may change with
 * the role, except for the names in {@link MemberStatus.Count}.
 */
public final class MemberStatusCodec extends WireCodec<MemberStatus> {
    /** The codec. */
    public MemberStatusCodec() {
        super("member.member-status", 1);
    }

    @Override
    protected void write(MemberStatus message, WireWriter out) {
        out.text(message.id())
                .text(message.version())
                .list(message.roles(), WireWriter::text)
                .duration(message.uptime())
                .bool(message.ready())
                .list(message.waits(), (to, wait) -> to.text(wait.part()).text(wait.sentence()))
                .list(message.counts(), (to, count) -> to.text(count.what()).i64(count.number()));
    }

    @Override
    protected MemberStatus read(int version, WireReader in) {
        return new MemberStatus(
                in.text(),
                in.text(),
                in.list(WireReader::text),
                in.duration(),
                in.bool(),
                in.list(from -> new MemberStatus.Wait(from.text(), from.text())),
                in.list(from -> new MemberStatus.Count(from.text(), from.i64())));
    }
}
