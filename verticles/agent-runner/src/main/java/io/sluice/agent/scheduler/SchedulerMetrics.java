package io.sluice.agent.scheduler;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What is counted of questions over HTTP. */
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
                .description("Questions put to another scheduler as one did not answer.")
                .register(meters);
    }

    void watch(SchedulerDirectory directory) {
        Gauge.builder(
                        "sluice.agent.schedulers",
                        directory,
                        found -> found.known().size())
                .description("Schedulers that could be asked over HTTP.")
                .register(meters);
    }

    /** The ledger's answer came back. */
    void answered() {
        answered.increment();
    }

    /** An answer came that the runner cannot use. */
    void unusable() {
        unusable.increment();
    }

    /** No answer came. */
    void lost() {
        lost.increment();
    }

    /** It was not sent, as a scheduler had asked to wait. */
    void held() {
        held.increment();
    }

    void failover() {
        failovers.increment();
    }

    private Counter requests(String outcome) {
        return Counter.builder("sluice.agent.scheduler.requests")
                .description("Questions to schedulers over HTTP by how they ended.")
                .tag("outcome", outcome)
                .register(meters);
    }
}
