package io.sluice.replay.read;

import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads traces. A line that breaks its format ends the reading; a lenient reader leaves it out and reports it. */
public final class TraceReader {
    private static final int VMS_MAX = 100_000;
    private static final int SAMPLES_MAX = 100_000;
    private static final int COMPLAINTS_MAX = 100;
    private static final int PERIOD_SECONDS = 300;
    private static final double PERCENT = 100;
    /** Each VM of the PlanetLab benchmark has one core (Beloglazov and Buyya, CCPE 24(13), 2012). */
    private static final int PLANETLAB_MILLI_CPU = 1_000;
    /** CloudWatch does not report the number of CPUs. */
    private static final int CLOUDWATCH_MILLI_CPU = 4_000;

    private static final double MILLI_CPU_OF_CORE = 1_000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final boolean lenient;
    private final int vmMilliCpu;
    private final List<String> leftOut = new ArrayList<>();
    private long leftOutCount;

    /**
     * A reader.
     *
     * @param vmMilliCpu the size of VMs of a trace without sizes; 0 for the format's default
     */
    public TraceReader(boolean lenient, int vmMilliCpu) {
        this.lenient = lenient;
        this.vmMilliCpu = vmMilliCpu;
    }

    /** The lines that were left out, the first ones by name. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** How many lines were left out. */
    public long leftOutCount() {
        return leftOutCount;
    }

    /** The format of a file or folder, by its first line or its files. */
    public static TraceFormat format(Path trace) throws IOException, MalformedTraceException {
        if (Files.isDirectory(trace)) {
            return TraceFormat.BITBRAINS;
        }
        try (var lines = new LineReader(trace)) {
            var head = lines.next();
            return "timestamp,value".equals(head) ? TraceFormat.CLOUDWATCH : TraceFormat.PLANETLAB;
        }
    }

    /** The series of a trace. */
    public List<TraceSeries> read(Path trace) throws IOException, MalformedTraceException {
        return switch (format(trace)) {
            case PLANETLAB -> planetLab(trace);
            case CLOUDWATCH -> cloudWatch(trace);
            case BITBRAINS -> bitbrains(trace);
        };
    }

    private int milliCpu(int byDefault) {
        return vmMilliCpu == 0 ? byDefault : vmMilliCpu;
    }

    private List<TraceSeries> planetLab(Path file) throws IOException, MalformedTraceException {
        double capacity = milliCpu(PLANETLAB_MILLI_CPU);
        var all = new ArrayList<TraceSeries>();
        eachLine(file, lines -> {
            var fields = lines.text().split(",", -1);
            all.add(new TraceSeries(
                    name(fields, lines, all),
                    ResourceKind.CPU,
                    capacity,
                    PERIOD_SECONDS,
                    0,
                    values(fields, lines, capacity / PERCENT, PERCENT)));
        });
        return all;
    }

    private List<TraceSeries> bitbrains(Path folder) throws IOException, MalformedTraceException {
        var sizes = new HashMap<String, double[]>();
        eachLine(in(folder, "vms.csv"), lines -> {
            if (lines.number() > 1) {
                var fields = lines.text().split(",", -1);
                if (fields.length < 4) {
                    throw lines.malformed("it has " + fields.length + " fields, not vm, cores, MHz and MiB");
                }
                double cores = value(fields[1], lines, 1_024);
                double mhz = value(fields[2], lines, 1e7);
                sizes.put(fields[0], new double[] {cores * MILLI_CPU_OF_CORE, mhz, value(fields[3], lines, 1e9)});
            }
        });
        var all = new ArrayList<TraceSeries>();
        eachLine(in(folder, "cpu_mhz.csv"), lines -> all.add(sized(lines, sizes, ResourceKind.CPU, all)));
        eachLine(in(folder, "mem_mib.csv"), lines -> all.add(sized(lines, sizes, ResourceKind.MEMORY, all)));
        return all;
    }

    private static Path in(Path folder, String name) {
        var packed = folder.resolve(name + ".gz");
        return Files.exists(packed) ? packed : folder.resolve(name);
    }

    private static TraceSeries sized(
            Line line, Map<String, double[]> sizes, ResourceKind kind, List<TraceSeries> before)
            throws MalformedTraceException {
        var fields = line.text().split(",", -1);
        var vm = name(fields, line, before);
        var size = sizes.get(vm);
        if (size == null) {
            throw line.malformed("vms.csv does not name the VM " + vm);
        }
        boolean cpu = kind == ResourceKind.CPU;
        double capacity = cpu ? size[0] : size[2];
        if (!(capacity > 0) || (cpu && !(size[1] > 0))) {
            throw line.malformed("vms.csv has no size of the VM " + vm);
        }
        return new TraceSeries(
                vm, kind, capacity, PERIOD_SECONDS, 0, values(fields, line, cpu ? size[0] / size[1] : 1, 1e9));
    }

    private List<TraceSeries> cloudWatch(Path file) throws IOException, MalformedTraceException {
        double capacity = milliCpu(CLOUDWATCH_MILLI_CPU);
        var values = new ArrayList<Double>();
        var begin = new LocalDateTime[1];
        eachLine(file, line -> {
            if (line.number() > 1) {
                var fields = line.text().split(",", -1);
                if (fields.length != 2) {
                    throw line.malformed("it has " + fields.length + " fields, not a time and a value");
                }
                place(values, begin, time(fields[0], line), value(fields[1], line, 1e4) * capacity / PERCENT, line);
            }
        });
        if (values.isEmpty()) {
            return List.of();
        }
        var name = file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", "");
        int start = begin[0].toLocalTime().toSecondOfDay();
        var samples = values.stream().mapToDouble(Double::doubleValue).toArray();
        return List.of(new TraceSeries(name, ResourceKind.CPU, capacity, PERIOD_SECONDS, start, samples));
    }

    /** Samples that are missing before this one are NaN. */
    private static void place(List<Double> values, LocalDateTime[] begin, LocalDateTime time, double value, Line line)
            throws MalformedTraceException {
        if (begin[0] == null) {
            begin[0] = time;
        }
        long index = Math.round(Duration.between(begin[0], time).toSeconds() / (double) PERIOD_SECONDS);
        if (index < values.size() || index >= SAMPLES_MAX) {
            throw line.malformed("its time is not after that of the line before, or too far after the first");
        }
        while (values.size() < index) {
            values.add(Double.NaN);
        }
        values.add(value);
    }

    private static LocalDateTime time(String text, Line line) throws MalformedTraceException {
        try {
            return LocalDateTime.parse(text, TIME);
        } catch (DateTimeParseException wrong) {
            throw line.malformed("\"" + shortened(text) + "\" is no time such as 2014-04-10 00:02:00");
        }
    }

    private static String name(String[] fields, Line line, List<TraceSeries> before) throws MalformedTraceException {
        if (fields.length < 2 || fields[0].isBlank()) {
            throw line.malformed("it has no name and no samples");
        }
        if (fields.length > SAMPLES_MAX || before.size() >= 2 * VMS_MAX) {
            throw line.malformed("a trace has at most " + SAMPLES_MAX + " samples and " + VMS_MAX + " VMs");
        }
        int samples = before.isEmpty() ? fields.length - 1 : before.getLast().samples().length;
        if (fields.length - 1 != samples) {
            throw line.malformed("it has " + (fields.length - 1) + " samples, the lines before it " + samples);
        }
        return fields[0];
    }

    private static double[] values(String[] fields, Line line, double factor, double most)
            throws MalformedTraceException {
        var values = new double[fields.length - 1];
        for (int i = 1; i < fields.length; i++) {
            values[i - 1] = fields[i].isEmpty() ? Double.NaN : value(fields[i], line, most) * factor;
        }
        return values;
    }

    private static double value(String text, Line line, double most) throws MalformedTraceException {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException wrong) {
            throw line.malformed("\"" + shortened(text) + "\" is no number");
        }
        if (!(value >= 0 && value <= most)) {
            throw line.malformed(shortened(text) + " is not between 0 and " + most);
        }
        return value;
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    /** A line of a trace. */
    private record Line(Path file, long number, String text) {
        MalformedTraceException malformed(String why) {
            return new MalformedTraceException(file, number, why);
        }
    }

    /** What is done with a line. */
    private interface LineHandler {
        void accept(Line line) throws MalformedTraceException;
    }

    private void eachLine(Path file, LineHandler handler) throws IOException, MalformedTraceException {
        try (var lines = new LineReader(file)) {
            long number = 0;
            for (var text = lines.next(); text != null; text = lines.next()) {
                number++;
                try {
                    handler.accept(new Line(file, number, text));
                } catch (MalformedTraceException bad) {
                    leaveOut(bad);
                }
            }
        }
    }

    private void leaveOut(MalformedTraceException bad) throws MalformedTraceException {
        if (!lenient) {
            throw bad;
        }
        leftOutCount++;
        if (leftOut.size() < COMPLAINTS_MAX) {
            leftOut.add(bad.getMessage());
        }
    }
}
