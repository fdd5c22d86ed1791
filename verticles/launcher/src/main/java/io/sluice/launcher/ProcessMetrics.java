package io.sluice.launcher;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;

/** Metrics of the process as a whole: memory, threads, CPU and pauses. */
final class ProcessMetrics {
    private ProcessMetrics() {}

    static void measure(MeterRegistry meters, ShutdownSequence stops) {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        var pauses = new JvmGcMetrics();
        pauses.bindTo(meters);
        stops.push("the metrics of pauses", atMost -> pauses.close());
    }
}
