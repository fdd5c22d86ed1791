package io.sluice.workers.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Why an instance or a worker is in its state, in sentences with their numbers. */
public final class FleetExplanation {
    private FleetExplanation() {}

    /** Of an instance; empty if there is none of that id. */
    public static List<String> instance(WorkerFleet fleet, String id, FleetTiming timing, Instant now) {
        return fleet.instance(id)
                .map(instance -> instance(fleet, instance, timing, now))
                .orElseGet(List::of);
    }

    private static List<String> instance(WorkerFleet fleet, Instance instance, FleetTiming timing, Instant now) {
        var lines = new ArrayList<String>();
        var where = instance.state().holdsRoom() ? " on worker " + instance.worker() : "";
        lines.add(instance.id() + " is " + instance.state() + where + " since "
                + seconds(instance.status().since()) + ", generation "
                + instance.numbers().generation() + reason(instance.status().reason()) + ".");
        lines.add("It requests " + instance.spec().requests().milliCpu() + "m CPU and "
                + instance.spec().requests().memoryBytes() + " bytes, and holds "
                + (instance.state().holdsRoom()
                        ? instance.granted().milliCpu() + "m and "
                                + instance.granted().memoryBytes() + " bytes."
                        : "nothing."));
        if (instance.state() == InstanceState.PENDING) {
            var candidates = fleet.candidates(instance, now);
            lines.add(candidates.size() + " of " + fleet.workers().size()
                    + " workers may be given it now: those that are" + " ready, run "
                    + instance.spec().runtime() + ", have its labels and did not just refuse it"
                    + others(fleet.obstacles(instance, now)) + ".");
            if (instance.retry().notBefore().isAfter(now)) {
                lines.add("The next attempt is at " + seconds(instance.retry().notBefore()) + ", after "
                        + instance.retry().failures() + " failures.");
            }
        }
        fleet.replacedBy(instance)
                .ifPresent(old -> lines.add("It replaces one on worker " + old.worker() + ", which is " + old.state()
                        + " until this one runs."));
        if (instance.state() == InstanceState.UNKNOWN) {
            lines.add(twice(fleet, instance, timing));
        }
        fleet.worker(instance.worker())
                .filter(worker -> instance.state().holdsRoom())
                .ifPresent(worker -> lines.addAll(worker(fleet, worker)));
        return lines;
    }

    private static String others(String obstacles) {
        return obstacles.isEmpty() ? "" : "; of the others: " + obstacles;
    }

    /** What its worker's silence means for it. */
    private static String twice(WorkerFleet fleet, Instance instance, FleetTiming timing) {
        var frame = fleet.worker(instance.worker()).map(Worker::frameAt).orElse(Instant.EPOCH);
        var lost = seconds(frame.plus(timing.lease()).plus(timing.lost()));
        return instance.spec().exclusive()
                ? "It is exclusive: it runs elsewhere only after its end was reported, or when its fence has come for"
                        + " sure, not before " + seconds(frame.plus(timing.lost())) + "."
                : "It is not exclusive: if the worker is silent until about " + lost
                        + ", it is started elsewhere, and may run twice until the worker is back.";
    }

    /** Of a worker; empty if there is none of that id. */
    public static List<String> worker(WorkerFleet fleet, String id) {
        return fleet.worker(id).map(worker -> worker(fleet, worker)).orElseGet(List::of);
    }

    private static List<String> worker(WorkerFleet fleet, Worker worker) {
        var lines = new ArrayList<String>();
        lines.add("Worker " + worker.id() + " is " + worker.state() + " since " + seconds(worker.since())
                + "; its last frame came at " + seconds(worker.frameAt()) + ", in session " + worker.epoch() + ".");
        lines.add("It has " + worker.hello().capacity().milliCpu() + "m CPU and "
                + worker.hello().capacity().memoryBytes() + " bytes for instances, runs "
                + String.join(", ", worker.hello().runtimes().stream().sorted().toList()) + ", and holds "
                + fleet.instancesOn(worker.id()).size() + " instances; "
                + fleet.orders(worker.id()).size() + " orders are not acknowledged.");
        if (worker.drain().on()) {
            lines.add("It is drained: it takes no instance"
                    + (worker.drain().done() ? " and is empty." : ", and what it has moves to others."));
        }
        if (!worker.credential().key().isEmpty()) {
            lines.add("Its certificate ends at " + seconds(worker.credential().endsAt()) + ".");
        }
        return lines;
    }

    private static String reason(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
