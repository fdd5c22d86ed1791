package io.sluice.codecs.member;

import io.sluice.messages.member.DumpRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v1: tag u8, then for 1 (parts) nothing; for 2 (keys) reader, part texts, from i32; for 3 (piece) reader, part, key
 * texts, from i32.
 */
public final class DumpRequestCodec extends WireCodec<DumpRequest> {
    private static final int PARTS = 1;
    private static final int KEYS = 2;
    private static final int PIECE = 3;

    /** The codec. */
    public DumpRequestCodec() {
        super("member.dump-request", 1);
    }

    @Override
    protected void write(DumpRequest message, WireWriter out) {
        switch (message) {
            case DumpRequest.Parts() -> out.u8(PARTS);
            case DumpRequest.Keys(var reader, var part, var from) ->
                out.u8(KEYS).text(reader).text(part).i32(from);
            case DumpRequest.Piece(var reader, var part, var key, var from) ->
                out.u8(PIECE).text(reader).text(part).text(key).i32(from);
        }
    }

    @Override
    protected DumpRequest read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PARTS -> new DumpRequest.Parts();
            case KEYS -> new DumpRequest.Keys(in.text(), in.text(), in.i32());
            case PIECE -> new DumpRequest.Piece(in.text(), in.text(), in.text(), in.i32());
            default -> throw in.unknownTag(tag);
        };
    }
}
