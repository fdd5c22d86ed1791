package io.sluice.agent.scrape;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** All scrapes of VMs by what was read and how it ended. */
public final class ScrapeMetrics {
    private final Map<Target, Map<ScrapeOutcome, Counter>> scrapes = new EnumMap<>(Target.class);
    private final Map<Target, Counter> badLines = new EnumMap<>(Target.class);

    /** What is read of a VM. */
    enum Target {
        /** Its load and memory. */
        SYSTEM("system"),
        /** Its file cache. */
        CACHE("cache");

        private final String label;

        Target(String label) {
            this.label = label;
        }
    }

    /** All series are registered at zero: if a series begins with its first event, no rate shows that event. */
    public ScrapeMetrics(MeterRegistry meters) {
        for (var target : Target.values()) {
            var byOutcome = new EnumMap<ScrapeOutcome, Counter>(ScrapeOutcome.class);
            for (var outcome : ScrapeOutcome.values()) {
                byOutcome.put(outcome, counter(meters, target, outcome));
            }
            scrapes.put(target, byOutcome);
            badLines.put(
                    target,
                    Counter.builder("sluice.agent.scrapes.bad.lines")
                            .description("Lines that are not of the format, of metrics that are not read")
                            .tag("target", target.label)
                            .register(meters));
        }
    }

    private static Counter counter(MeterRegistry meters, Target target, ScrapeOutcome outcome) {
        return Counter.builder("sluice.agent.scrapes")
                .description("Scrapes of VMs by what was read and how it ended")
                .tag("target", target.label)
                .tag("outcome", outcome.label())
                .register(meters);
    }

    void count(Target target, ScrapeOutcome outcome) {
        scrapes.get(target).get(outcome).increment();
    }

    void badLines(Target target, int lines) {
        badLines.get(target).increment(lines);
    }
}
