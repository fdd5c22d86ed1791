package io.sluice.agent.scheduler;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of requests over HTTP. */
final class SchedulerMetrics {
    private final MeterRegistry meters;
    private final Counter answered;
    private final Counter unusable;
    private final Counter lost;
    private final Counter held;
    private final Counter failovers;

    SchedulerMetrics(MeterRegistry meters) {
        this.meters = meters;
        answered = requests("answered");
        unusable = requests("unusable");
        lost = requests("lost");
        held = requests("held");
        failovers = Counter.builder("sluice.agent.scheduler.failovers")
                .description("Requests that were sent to another scheduler as one did not respond.")
                .register(meters);
    }

    void watch(SchedulerDirectory directory) {
        Gauge.builder(
                        "sluice.agent.schedulers",
                        directory,
                        found -> found.known().size())
                .description("Schedulers that can be reached over HTTP.")
                .register(meters);
    }

    /** The ledger's reply arrived. */
    void answered() {
        answered.increment();
    }

    /** A response arrived that the runner cannot use. */
    void unusable() {
        unusable.increment();
    }

    /** No response arrived. */
    void lost() {
        lost.increment();
    }

    /** It was not sent, as a scheduler had required a wait. */
    void held() {
        held.increment();
    }

    void failover() {
        failovers.increment();
    }

    private Counter requests(String outcome) {
        return Counter.builder("sluice.agent.scheduler.requests")
                .description("Requests to schedulers over HTTP by outcome.")
                .tag("outcome", outcome)
                .register(meters);
    }
}
