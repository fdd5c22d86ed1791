package io.sluice.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.codecs.member.DumpReplyCodec;
import io.sluice.codecs.member.TapBatchCodec;
import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.TapBatch;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongTextTest {
    /** Characters of one, two and three bytes; and surrogate pairs, which no cut may split, at even and odd places. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "ö", "—", "😀", "x😀"})
    void textsLongerThanOneOfTheWireArriveWhole(String letter) {
        var text = letter.repeat(DumpReply.CHARACTERS_MAX / letter.length());
        var slice = new DumpReply.Slice(text, true);
        var batch = new TapBatch(1, false, List.of(text, "", text.substring(0, 16 * 1024)), false, 0);

        assertThat(new DumpReplyCodec().decode(new DumpReplyCodec().encode(slice)))
                .isEqualTo(slice);
        assertThat(new TapBatchCodec().decode(new TapBatchCodec().encode(batch)))
                .isEqualTo(batch);
    }
}
