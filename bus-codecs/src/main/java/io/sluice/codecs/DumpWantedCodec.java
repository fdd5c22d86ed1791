package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.member.DumpWanted;

/**
 * v1: tag u8, then for 1 (parts) nothing; for 2 (keys) reader, part texts, from i32; for 3 (piece) reader, part, key
 * texts, from i32.
 */
public final class DumpWantedCodec extends WireCodec<DumpWanted> {
    private static final int PARTS = 1;
    private static final int KEYS = 2;
    private static final int PIECE = 3;

    /** The codec. */
    public DumpWantedCodec() {
        super("member.dump-wanted", 1);
    }

    @Override
    protected void write(DumpWanted message, WireWriter out) {
        switch (message) {
            case DumpWanted.Parts() -> out.u8(PARTS);
            case DumpWanted.Keys(var reader, var part, var from) ->
                out.u8(KEYS).text(reader).text(part).i32(from);
            case DumpWanted.Piece(var reader, var part, var key, var from) ->
                out.u8(PIECE).text(reader).text(part).text(key).i32(from);
        }
    }

    @Override
    protected DumpWanted read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case PARTS -> new DumpWanted.Parts();
            case KEYS -> new DumpWanted.Keys(in.text(), in.text(), in.i32());
            case PIECE -> new DumpWanted.Piece(in.text(), in.text(), in.text(), in.i32());
            default -> throw in.unknownTag(tag);
        };
    }
}
