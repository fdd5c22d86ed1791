package io.sluice.codecs.member;

import io.sluice.codecs.LongTextPart;
import io.sluice.messages.member.DumpReply;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (parts) parts texts; for 2 (keys) keys texts, more bool; for 3 (slice) json long text, more
 * bool; for 4 (failed) sentence text.
 *
 * <p>A reply has at most a quarter of a million characters, however large a piece is: it shares its connection with all
 * other requests between two members, and those time out after a second.
 */
public final class DumpReplyCodec extends WireCodec<DumpReply> {
    private static final int PARTS = 1;
    private static final int KEYS = 2;
    private static final int SLICE = 3;
    private static final int FAILED = 4;

    /** The codec. */
    public DumpReplyCodec() {
        super("member.dump-reply", 1);
    }

    @Override
    protected void write(DumpReply message, WireWriter out) {
        switch (message) {
            case DumpReply.Parts(var parts) -> out.u8(PARTS).list(parts, WireWriter::text);
            case DumpReply.Keys(var keys, var more) ->
                out.u8(KEYS).list(keys, WireWriter::text).bool(more);
            case DumpReply.Slice(var json, var more) -> {
                LongTextPart.write(out.u8(SLICE), json);
                out.bool(more);
            }
            case DumpReply.Failed(var sentence) -> out.u8(FAILED).text(sentence);
        }
    }

    @Override
    protected DumpReply read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PARTS -> new DumpReply.Parts(in.list(WireReader::text));
            case KEYS -> new DumpReply.Keys(in.list(WireReader::text), in.bool());
            case SLICE -> new DumpReply.Slice(LongTextPart.read(in), in.bool());
            case FAILED -> new DumpReply.Failed(in.text());
            default -> throw in.unknownTag(tag);
        };
    }
}
