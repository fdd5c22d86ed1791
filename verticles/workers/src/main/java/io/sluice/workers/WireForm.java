package io.sluice.workers;

import io.sluice.units.Resources;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.Worker;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.core.WorkerState;
import io.sluice.workers.v1.Assign;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.NodeUsage;
import io.sluice.workers.v1.Resize;
import io.sluice.workers.v1.Resource;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.Stop;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Between messages on the wire and what the core decides on. */
public final class WireForm {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final int WHOLE_NODE = -1;
    private static final int LABELS_MAX = 64;
    private static final int LABEL_LENGTH_MAX = 256;
    private static final int REASON_LENGTH_MAX = 300;

    private WireForm() {}

    /** Amounts of CPU and memory; other kinds are left out. */
    public static Resources amounts(List<Resource> resources) {
        long cpu = 0;
        long memory = 0;
        for (var resource : resources) {
            switch (resource.getKind()) {
                case CPU -> cpu = Math.max(0, resource.getAmount());
                case MEMORY -> memory = Math.max(0, resource.getAmount());
                default -> {
                    // Kinds of which the ledger has no record yet.
                }
            }
        }
        return new Resources(cpu, memory);
    }

    /** The same on the wire. */
    public static List<Resource> resources(Resources amounts) {
        return List.of(resource(CPU, amounts.milliCpu()), resource(MEMORY, amounts.memoryBytes()));
    }

    private static Resource resource(String kind, long amount) {
        return Resource.newBuilder()
                .setKind(kind)
                .setAmount(amount)
                .setZone(WHOLE_NODE)
                .build();
    }

    /** What a worker registers with, less what it and this process reserve. */
    static WorkerHello hello(String worker, String key, Hello hello, double reserve) {
        var total = amounts(hello.getCapacity().getTotalList());
        var system = amounts(hello.getCapacity().getSystemReservedList());
        return new WorkerHello(
                worker,
                key,
                hello.getBootEpoch(),
                withoutReserve(total, reserve).minus(system),
                hello.getLabelsMap(),
                Set.copyOf(hello.getRuntimesList()),
                hello.getSupportsResize(),
                reports(hello.getInventoryList()),
                hello.getLastOrderSeq());
    }

    /** What instances may use in all. */
    static Resources withoutReserve(Resources total, double reserve) {
        return total.minus(share(total, reserve));
    }

    private static Resources share(Resources total, double share) {
        return new Resources((long) Math.ceil(total.milliCpu() * share), (long) Math.ceil(total.memoryBytes() * share));
    }

    static List<InstanceReport> reports(List<io.sluice.workers.v1.InstanceReport> reports) {
        return reports.stream().flatMap(report -> report(report).stream()).toList();
    }

    /**
     * Why a worker cannot register with this; empty if it can. All of it is kept for as long as the worker is known.
     */
    static Optional<String> unfit(Hello hello) {
        boolean few = hello.getLabelsCount() <= LABELS_MAX && hello.getRuntimesCount() <= LABELS_MAX;
        boolean brief = Stream.of(
                        hello.getLabelsMap().keySet(), hello.getLabelsMap().values(), hello.getRuntimesList())
                .flatMap(Collection::stream)
                .allMatch(text -> text.length() <= LABEL_LENGTH_MAX);
        return few && brief
                ? Optional.empty()
                : Optional.of("a worker has at most " + LABELS_MAX + " labels and as many runtimes, each of at most "
                        + LABEL_LENGTH_MAX + " characters");
    }

    /** A report; empty if its state is none that a worker can report, or its id none that an instance can have. */
    static Optional<InstanceReport> report(io.sluice.workers.v1.InstanceReport report) {
        return observed(report)
                .filter(state -> Names.isName(report.getInstanceId()))
                .map(state -> new InstanceReport(
                        report.getInstanceId(),
                        report.getGeneration(),
                        state,
                        brief(report.getReason()),
                        report.getExitCode()));
    }

    private static String brief(String reason) {
        return reason.length() <= REASON_LENGTH_MAX ? reason : reason.substring(0, REASON_LENGTH_MAX);
    }

    private static Optional<Observed> observed(io.sluice.workers.v1.InstanceReport report) {
        return switch (report.getState()) {
            case CREATING -> Optional.of(Observed.CREATING);
            case RUNNING -> Optional.of(Observed.RUNNING);
            case DESTROYING -> Optional.of(Observed.DESTROYING);
            case TERMINATED -> Optional.of(Observed.TERMINATED);
            case FAILED -> Optional.of(Observed.FAILED);
            case UNKNOWN, PENDING, UNRECOGNIZED -> Optional.empty();
        };
    }

    /** An order as a frame; empty if its instance is gone, so that there is nothing to start. */
    static Optional<SchedulerFrame> frame(Order order, long epoch, Optional<Instance> instance, int graceSeconds) {
        var frame = SchedulerFrame.newBuilder().setSeq(order.seq()).setSessionEpoch(epoch);
        return switch (order.kind()) {
            case ASSIGN ->
                instance.map(known -> frame.setAssign(Assign.newBuilder()
                                .setInstanceId(order.instance())
                                .setWorkloadId(known.spec().workload())
                                .setGeneration(order.generation())
                                .setDefinition(known.spec().definition())
                                .addAllGrant(resources(order.amounts()))
                                .setExclusive(known.spec().exclusive()))
                        .build());
            case STOP ->
                Optional.of(frame.setStop(Stop.newBuilder()
                                .setInstanceId(order.instance())
                                .setGeneration(order.generation())
                                .setGraceS(graceSeconds)
                                .setReason(order.reason()))
                        .build());
            case RESIZE ->
                Optional.of(frame.setResize(Resize.newBuilder()
                                .setInstanceId(order.instance())
                                .setGeneration(order.generation())
                                .addAllGrant(resources(order.amounts())))
                        .build());
        };
    }

    static io.sluice.workers.control.v1.Instance shown(Instance instance) {
        return io.sluice.workers.control.v1.Instance.newBuilder()
                .setInstanceId(instance.id())
                .setWorkloadId(instance.spec().workload())
                .setWorkerId(instance.worker())
                .setGeneration(instance.numbers().generation())
                .setState(instance.state().name())
                .setReason(instance.status().reason())
                .addAllGrant(resources(instance.granted()))
                .setExclusive(instance.spec().exclusive())
                .setExitCode(instance.status().exitCode())
                .build();
    }

    private static String state(Worker worker) {
        boolean drains = worker.drain().on() && worker.state() == WorkerState.READY;
        return drains
                ? (worker.drain().done() ? "DRAINED" : "DRAINING")
                : worker.state().name();
    }

    static WorkerInfo shown(Worker worker, int instances, Optional<NodeUsage> usage) {
        return WorkerInfo.newBuilder()
                .setWorkerId(worker.id())
                .setState(state(worker))
                .setSessionEpoch(worker.epoch())
                .addAllTotal(resources(worker.hello().capacity()))
                .putAllLabels(worker.hello().labels())
                .setInstances(instances)
                .setCpuPercent(usage.map(NodeUsage::getCpuPercent).orElse(0.0))
                .setMemoryUsed(usage.map(NodeUsage::getMemoryUsed).orElse(0L))
                .setUseKnown(usage.isPresent())
                .build();
    }
}
