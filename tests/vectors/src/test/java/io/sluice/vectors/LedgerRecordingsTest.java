package io.sluice.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped recordings of the ledger: the result of every command that is not marked is equal, to the last digit. */
class LedgerRecordingsTest {
    private static final Path FOLDER = Path.of("src/main/resources/vectors/ledger");

    @ParameterizedTest
    @CsvSource({
        "plain,8974,0",
        "deviating,1835,1290",
        "table,49,2",
        "overcommit,3427,0",
        "watermark,300,0",
        "choose,392,8"
    })
    void areEqual(String name, long compared, long onPurpose) {
        var tally = new Tally();

        new LedgerPlayer().play(new Recording(FOLDER.resolve(name + ".jsonl.gz")), tally);

        assertThat(tally.first()).isEmpty();
        assertThat(tally.different()).isZero();
        assertThat(tally.commands()).isEqualTo(compared);
        assertThat(tally.onPurpose()).isEqualTo(onPurpose);
    }
}
