package io.sluice.lab.load;

import io.sluice.lab.load.core.LoadSeries;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.zip.GZIPInputStream;

/** The recorded CPU series of the lab; their source and licence are beside them. Reading one blocks briefly. */
public final class SeriesLibrary {
    /** The names of all series: two databases first, then four machines. */
    public static final List<String> NAMES = List.of(
            "rds_cpu_utilization_cc0c53",
            "rds_cpu_utilization_e47b3b",
            "ec2_cpu_utilization_5f5533",
            "ec2_cpu_utilization_77c1ca",
            "ec2_cpu_utilization_ac20cd",
            "ec2_cpu_utilization_fe7f93");

    private static final Duration STEP = Duration.ofMinutes(5);
    private static final String HEADER = "timestamp,value";

    private SeriesLibrary() {}

    /**
     * Reads a series.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static LoadSeries read(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("no series " + name + "; there are " + NAMES);
        }
        try (var packed = SeriesLibrary.class.getResourceAsStream(name + ".csv.gz")) {
            if (packed == null) {
                throw new IllegalStateException("series " + name + " is missing from the jar");
            }
            return parse(name, new GZIPInputStream(packed));
        } catch (IOException broken) {
            throw new UncheckedIOException("series " + name + " cannot be read", broken);
        }
    }

    static LoadSeries parse(String name, InputStream csv) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(csv, StandardCharsets.UTF_8));
        var header = lines.readLine();
        if (!HEADER.equals(header)) {
            throw new IllegalArgumentException("series " + name + " must begin with " + HEADER + ", not " + header);
        }
        var percents = DoubleStream.builder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            percents.add(value(name, line));
        }
        return new LoadSeries(name, STEP, percents.build().toArray());
    }

    private static double value(String name, String line) {
        int comma = line.indexOf(',');
        try {
            return Double.parseDouble(line.substring(comma + 1));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "series " + name + ": a line is timestamp,value, not " + line, notANumber);
        }
    }
}
