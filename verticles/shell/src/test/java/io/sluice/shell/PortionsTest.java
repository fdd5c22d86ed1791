package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.units.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortionsTest {
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "20%, 10000, 2000",
        "0%, 10000, 0",
        "100%, 10001, 10001",
        "12.5%, 8, 1",
        "12.5%, 9, 2",
        "0.0001%, 1, 1",
        "99.9999%, 9223372036854775807, 9223362813482738953"
    })
    void aShareIsRoundedUpAndNeverOverflows(String share, long whole, long part) {
        assertThat(Portion.Share.parse(share).of(whole)).isEqualTo(part);
    }

    @Test
    void anAmountIsTheSameOfAnything() {
        var portions = new Portions(new Portion.Amount(500), new Portion.Share(100_000));

        assertThat(portions.of(new Resources(100, 100))).isEqualTo(new Resources(500, 10));
        assertThat(portions.of(new Resources(8000, 1000))).isEqualTo(new Resources(500, 100));
    }

    @Test
    void equalPortionsHaveEqualTextsHoweverTheyWereWritten() {
        assertThat(new Portions(Portion.Share.parse("20.50%"), new Portion.Amount(1L << 30)))
                .isEqualTo(new Portions(Portion.Share.parse("20.5%"), new Portion.Amount(1024L << 20)))
                .hasToString("20.5%/1Gi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "20", "-1%", "1e2%", "100.0001%", "101%", "1.00001%", "9999%", " 5%", "٣%"})
    void anythingElseIsNoShare(String text) {
        assertThatThrownBy(() -> Portion.Share.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAmountIsNeverNegative() {
        assertThatThrownBy(() -> new Portion.Amount(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
