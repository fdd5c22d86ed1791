package io.sluice.replay.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReaderTest {
    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Path bitbrains(String sizes, String cpu, String memory) throws IOException {
        file("vms.csv", sizes);
        file("cpu_mhz.csv", cpu);
        file("mem_mib.csv", memory);
        return folder;
    }

    private static TraceReader strict() {
        return new TraceReader(false, 0);
    }

    @Test
    void planetLabIsPercentOfOneCore() throws Exception {
        var series = strict().read(file("day.csv", "one,24,0,100\ntwo,1,2,3\n"));

        assertThat(series).extracting(TraceSeries::vm).containsExactly("one", "two");
        assertThat(series.getFirst().capacity()).isEqualTo(1_000);
        assertThat(series.getFirst().samples()).containsExactly(240, 0, 1_000);
    }

    @Test
    void theSizeOfVmsCanBeGiven() throws Exception {
        var series = new TraceReader(false, 8_000).read(file("day.csv", "one,50\n"));

        assertThat(series.getFirst().samples()).containsExactly(4_000);
    }

    @Test
    void aPackedFileIsUnpacked() throws Exception {
        var packed = folder.resolve("day.csv.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("one,10\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(strict().read(packed)).hasSize(1);
    }

    @Test
    void bitbrainsHasSizesAndBothResources() throws Exception {
        var trace = bitbrains("vm,cores,mhz,mib\n7,2,5000,8192\n", "7,,1250,5000\n", "7,,100,200\n");

        var series = strict().read(trace);

        assertThat(series).extracting(TraceSeries::kind).containsExactly(ResourceKind.CPU, ResourceKind.MEMORY);
        assertThat(series.getFirst().capacity()).isEqualTo(2_000);
        assertThat(series.getFirst().samples()).containsExactly(Double.NaN, 500, 2_000);
        assertThat(series.getLast().capacity()).isEqualTo(8_192);
    }

    @Test
    void cloudWatchHasItsTimeOfDayAndItsHoles() throws Exception {
        var series = strict().read(file(
                "db.csv",
                "timestamp,value\n2014-04-10 00:02:00,10\n2014-04-10 00:07:00,20\n2014-04-10 00:17:00,30.5\n"));

        assertThat(series.getFirst().vm()).isEqualTo("db");
        assertThat(series.getFirst().startSecond()).isEqualTo(120);
        assertThat(series.getFirst().samples()).containsExactly(400, 800, Double.NaN, 1_220);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two,1,x",
                "two,1,101",
                "two,1,-1",
                "two,1",
                "two",
                ",1,2",
                "",
                "two,1,NaN",
                "two,1,Infinity",
                "two,1,2,3"
            })
    void aBadLineIsNamedWithFileAndNumber(String line) throws IOException {
        var trace = file("day.csv", "one,1,2\n" + line + "\nthree,5,6\n");

        assertThatThrownBy(() -> strict().read(trace))
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageStartingWith(trace + ", line 2: ");
    }

    @Test
    void aLenientReaderLeavesBadLinesOut() throws Exception {
        var reader = new TraceReader(true, 0);
        var series = reader.read(file("day.csv", "one,1,2\ntwo,x,y\nthree,5,6\n"));

        assertThat(series).extracting(TraceSeries::vm).containsExactly("one", "three");
        assertThat(reader.leftOutCount()).isEqualTo(1);
        assertThat(reader.leftOut()).singleElement().asString().contains("day.csv, line 2: \"x\" is no number");
    }

    @Test
    void aVmWithoutASizeIsABadLine() throws Exception {
        var trace = bitbrains("vm,cores,mhz,mib\n7,2,5000,8192\n", "8,1\n", "");

        assertThatThrownBy(() -> strict().read(trace)).hasMessageContaining("cpu_mhz.csv, line 1: vms.csv does not");
    }

    @Test
    void timesMustRise() throws Exception {
        var trace = file(
                "db.csv", "timestamp,value\n2014-04-10 00:07:00,1\n2014-04-10 00:02:00,2\n2014-04-10 00:12:00,3\n");

        assertThatThrownBy(() -> strict().read(trace)).hasMessageContaining("line 3");
        assertThat(new TraceReader(true, 0).read(trace).getFirst().samples()).hasSize(2);
    }

    @Test
    void aLineWithoutAnEndIsNotReadToTheEnd() throws IOException {
        var trace = file("day.csv", "1".repeat(3 << 20));

        assertThatThrownBy(() -> strict().read(trace)).hasMessageContaining("line 1: it is longer than");
    }
}
