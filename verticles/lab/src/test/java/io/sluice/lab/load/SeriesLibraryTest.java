package io.sluice.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.lab.load.core.LoadSeries;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SeriesLibraryTest {
    static final List<String> NAMES = SeriesLibrary.NAMES;

    @ParameterizedTest
    @FieldSource("NAMES")
    void readsFourteenDaysOfEachSeries(String name) {
        var series = SeriesLibrary.read(name);
        assertThat(series.size()).isEqualTo(4032);
        assertThat(series.step().multipliedBy(series.size())).isEqualTo(Duration.ofDays(14));
    }

    @Test
    void readsTheValuesAsTheyWerePublished() {
        var series = SeriesLibrary.read("rds_cpu_utilization_e47b3b");
        assertThat(series.percentAt(Duration.ZERO)).isEqualTo(14.012);
        assertThat(series.percentAt(Duration.ofMinutes(5).minusNanos(1))).isEqualTo(14.012);
        assertThat(series.percentAt(Duration.ofMinutes(5))).isEqualTo(13.334000000000001);
        assertThat(series.percentAt(Duration.ofDays(14))).isEqualTo(14.012);
    }

    @Test
    void shipsTheLicence() {
        assertThat(SeriesLibrary.class.getResource("LICENSE.txt")).isNotNull();
    }

    @Test
    void namesWhatItCannotRead() {
        assertThatThrownBy(() -> SeriesLibrary.read("rds")).hasMessageContaining("rds_cpu_utilization_cc0c53");
        assertThatThrownBy(() -> parse("time,cpu\n")).hasMessageContaining("timestamp,value");
        assertThatThrownBy(() -> parse("timestamp,value\n2014,high\n")).hasMessageContaining("2014,high");
    }

    private static LoadSeries parse(String csv) throws Exception {
        InputStream bytes = new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8));
        return SeriesLibrary.parse("made up", bytes);
    }
}
