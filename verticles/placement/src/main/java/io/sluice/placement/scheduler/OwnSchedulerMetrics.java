package io.sluice.placement.scheduler;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.messages.vm.EvictReply;
import io.sluice.placement.core.gangs.GangAction;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Metrics of Sluice's own scheduler. */
final class OwnSchedulerMetrics {
    private final MeterRegistry meters;
    private final AtomicInteger gangsWaiting = new AtomicInteger();
    private final Timer wait;

    /** What came of an attempt. */
    enum Outcome {
        PLACED,
        /** The ledger or the API server refused the node. */
        NOT_PLACED,
        /** The bind may still take effect. */
        IN_DOUBT,
        NO_NODE,
        /** The reason could not be written to the pod. */
        NOT_REPORTED,
        /** Too many pods wait already. */
        DROPPED
    }

    /** What came of an attempt to make room for a pod. */
    enum Preemption {
        EVICTED,
        /** By its policy, or as earlier victims are still being deleted. */
        NOT_ELIGIBLE,
        NO_VICTIMS,
        /** The first eviction was refused or has failed. */
        REFUSED,
        /** Room is made for too many pods already. */
        FAILED
    }

    /**
     * Registers all of them.
     *
     * @param waiting the number of pods that wait
     * @param leads 1 while this process places pods
     */
    OwnSchedulerMetrics(MeterRegistry meters, IntSupplier waiting, IntSupplier leads) {
        this.meters = meters;
        Gauge.builder("sluice.scheduler.pods.waiting", waiting::getAsInt)
                .description("Pods of the own scheduler that wait for a node")
                .register(meters);
        Gauge.builder("sluice.scheduler.leads", leads::getAsInt)
                .description("Whether this process places the pods of the own scheduler")
                .register(meters);
        Gauge.builder("sluice.scheduler.gangs.waiting", gangsWaiting, AtomicInteger::get)
                .description("Gangs of which members wait, with a reason")
                .register(meters);
        wait = Timer.builder("sluice.scheduler.wait.seconds")
                .description("From the first observation of a pod to its bind")
                .register(meters);
        for (var outcome : Outcome.values()) {
            attempts(outcome);
        }
        gangs("tried");
        List.of(GangAction.What.values()).forEach(what -> gangs(what.name().toLowerCase(Locale.ROOT)));
        List.of(Preemption.values()).forEach(this::preemptions);
        List.of("evicted", "gone", "refused_by_budget", "failed").forEach(this::victims);
    }

    void ended(Preemption outcome) {
        preemptions(outcome).increment();
    }

    void evicted(EvictReply reply) {
        victims(
                        switch (reply) {
                            case EvictReply.Evicted() -> "evicted";
                            case EvictReply.Gone() -> "gone";
                            case EvictReply.RefusedByBudget(var _) -> "refused_by_budget";
                            case EvictReply.Failed(var _) -> "failed";
                        })
                .increment();
    }

    private Counter preemptions(Preemption outcome) {
        return Counter.builder("sluice.scheduler.preemptions")
                .description("Attempts to make room for a pod by evictions, by outcome")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    private Counter victims(String outcome) {
        return Counter.builder("sluice.scheduler.victims")
                .description("Evictions of pods for others of higher priority, by outcome")
                .tag("outcome", outcome)
                .register(meters);
    }

    /** So many gangs wait; none where another process starts them. */
    void gangsWaiting(int number) {
        gangsWaiting.set(number);
    }

    /** A gang was tried. */
    void gangTried() {
        gangs("tried").increment();
    }

    void gangEnded(GangAction.What what) {
        gangs(what.name().toLowerCase(Locale.ROOT)).increment();
    }

    private Counter gangs(String event) {
        return Counter.builder("sluice.scheduler.gangs")
                .description("Attempts to start gangs, and what came of them")
                .tag("event", event)
                .register(meters);
    }

    void ended(Outcome outcome) {
        attempts(outcome).increment();
    }

    void placed(Duration waited) {
        wait.record(waited);
    }

    private Counter attempts(Outcome outcome) {
        return Counter.builder("sluice.scheduler.attempts")
                .description("Attempts to place a pod by the own scheduler, by outcome")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }
}
