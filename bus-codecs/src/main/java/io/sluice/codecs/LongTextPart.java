package io.sluice.codecs;

import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A text that may be longer than one text of the wire: a list of texts that follow one another, cut at 16 Ki characters
 * and never within a surrogate pair.
 */
public final class LongTextPart {
    /** A character takes at most three bytes, so a slice is always shorter than the longest text. */
    private static final int SLICE_CHARACTERS = 16 * 1024;

    private LongTextPart() {}

    public static void write(WireWriter out, String text) {
        out.list(slices(text), WireWriter::text);
    }

    public static String read(WireReader in) {
        return String.join("", in.list(WireReader::text));
    }

    private static List<String> slices(String text) {
        List<String> slices = new ArrayList<>();
        for (int start = 0; start < text.length(); start += slices.getLast().length()) {
            int end = Math.min(text.length(), start + SLICE_CHARACTERS);
            boolean splits = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
            slices.add(text.substring(start, splits ? end - 1 : end));
        }
        return slices;
    }
}
