package io.sluice.bench.measurement;

import java.util.ArrayList;
import java.util.List;

/** The options of benchmarks: system properties, which count as absent when they are empty. */
public final class BenchOption {
    /** The file of a flight recording of the process that is measured; {@code %p} in it stands for the process. */
    public static final String RECORDING = "bench.jfr";
    /** Options of the JVM of the scheduler that {@code WorkersBench} measures, separated by blanks. */
    public static final String JVM = "bench.jvm";
    /** The directory for the histograms of its heap. */
    public static final String HISTOGRAMS = "bench.histograms";
    /** All of them. */
    public static final List<String> NAMES = List.of(RECORDING, JVM, HISTOGRAMS);

    private BenchOption() {}

    /**
     * Options of a JVM, and those of a recording where {@link #RECORDING} names a file.
     *
     * @param delaySeconds from the JVM's start to the recording's; 1 at least, as the JVM requires
     */
    public static List<String> recorded(List<String> options, int delaySeconds) {
        var file = of(RECORDING, "");
        if (file.isEmpty()) {
            return options;
        }
        var recorded = new ArrayList<>(options);
        recorded.add("-XX:StartFlightRecording=settings=profile,dumponexit=true,delay=" + delaySeconds + "s,filename="
                + file);
        return recorded;
    }

    /** The option's value, or the other one where it is absent. */
    public static String of(String name, String otherwise) {
        var value = System.getProperty(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
