package io.sluice.agent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Each VM's sizes and goal, as series of its own, under the names that Neon's agent uses. An unknown value has no
 * series; a VM that is gone, or runs nowhere, has none at all.
 */
final class VmMetrics {
    private static final double MILLIS = 1_000;
    private static final String CPU = "autoscaling_vm_cpu_cores";
    private static final String MEMORY = "autoscaling_vm_memory_bytes";
    private static final String GOAL = "autoscaling_vm_desired_cu";
    private static final String RESTARTS = "autoscaling_vm_restart_count";
    private static final String EXTRA_IP = "autoscaling_vm_extra_ip";

    private final MeterRegistry meters;
    private final double cuMultiplier;
    private final Map<VmId, Series> vms = new HashMap<>();

    private record Known(VmObserved observed, GoalBasis basis, double cuMultiplier) {
        private Optional<Double> outside(Optional<Double> units) {
            return units.map(number -> number * cuMultiplier);
        }
    }

    private enum Row {
        CPU_LEAST(CPU, "spec_min", cores(vm -> limit(vm.traits().specMin()))),
        CPU_MOST(CPU, "spec_max", cores(vm -> limit(vm.traits().specMax()))),
        CPU_SPEC(CPU, "spec_use", cores(vm -> Optional.of(vm.sizes().spec()))),
        CPU_SHOWN(CPU, "status_use", cores(vm -> vm.sizes().status())),
        CPU_MIN(CPU, "autoscaling_min", cores(vm -> Optional.of(vm.sizes().min()))),
        CPU_MAX(CPU, "autoscaling_max", cores(vm -> Optional.of(vm.sizes().max()))),
        MEMORY_LEAST(MEMORY, "spec_min", bytes(vm -> limit(vm.traits().specMin()))),
        MEMORY_MOST(MEMORY, "spec_max", bytes(vm -> limit(vm.traits().specMax()))),
        MEMORY_SPEC(MEMORY, "spec_use", bytes(vm -> Optional.of(vm.sizes().spec()))),
        MEMORY_SHOWN(MEMORY, "status_use", bytes(vm -> vm.sizes().status())),
        MEMORY_MIN(MEMORY, "autoscaling_min", bytes(vm -> Optional.of(vm.sizes().min()))),
        MEMORY_MAX(MEMORY, "autoscaling_max", bytes(vm -> Optional.of(vm.sizes().max()))),
        GOAL_TOTAL(
                GOAL,
                "total",
                known -> known.outside(
                        isKnown(known.basis())
                                ? Optional.of((double) known.basis().goalCu())
                                : Optional.empty())),
        GOAL_CPU(GOAL, "cpu", known -> known.outside(known.basis().cpuCu())),
        GOAL_MEMORY(GOAL, "mem", known -> known.outside(known.basis().memoryCu())),
        GOAL_LFC(GOAL, "lfc", known -> known.outside(known.basis().lfcCu())),
        STARTED_AGAIN(RESTARTS, "", trait(VmTraits::restarts)),
        HAS_EXTRA_IP(EXTRA_IP, "", trait(traits -> traits.extraIp().isEmpty() ? 0 : 1));

        private final String metric;
        private final String label;
        private final Function<Known, Optional<Double>> value;

        Row(String metric, String label, Function<Known, Optional<Double>> value) {
            this.metric = metric;
            this.label = label;
            this.value = value;
        }

        private String description() {
            return switch (metric) {
                case CPU -> "CPU of a VM, in cores: by its spec, by its status, and its bounds";
                case MEMORY -> "Memory of a VM, in bytes: by its spec, by its status, and its bounds";
                case RESTARTS -> "How often a VM was started again";
                case EXTRA_IP -> "Whether a VM has an address on the overlay network";
                default -> "Compute units that a VM's metrics ask for, in all and by kind, in external compute units";
            };
        }

        private Tags tags(Tags vm) {
            return label.isEmpty() ? vm : vm.and(metric.equals(GOAL) ? "component" : "value", label);
        }

        private static boolean isKnown(GoalBasis basis) {
            return basis.cpuCu().isPresent() || basis.lfcCu().isPresent();
        }

        /** Zero means not reported: no VM has a limit of zero. */
        private static Optional<Resources> limit(Resources reported) {
            return reported.equals(Resources.NONE) ? Optional.empty() : Optional.of(reported);
        }

        private static Function<Known, Optional<Double>> trait(ToDoubleFunction<VmTraits> number) {
            return known -> Optional.of(number.applyAsDouble(known.observed().traits()));
        }

        private static Function<Known, Optional<Double>> cores(Function<VmObserved, Optional<Resources>> size) {
            return of(size, amount -> amount.milliCpu() / MILLIS);
        }

        private static Function<Known, Optional<Double>> bytes(Function<VmObserved, Optional<Resources>> size) {
            return of(size, Resources::memoryBytes);
        }

        private static Function<Known, Optional<Double>> of(
                Function<VmObserved, Optional<Resources>> size, ToDoubleFunction<Resources> number) {
            return known -> size.apply(known.observed()).map(number::applyAsDouble);
        }
    }

    /** One VM's series. Another thread reads the values at a scrape. */
    private final class Series {
        private final Map<Row, Meter> registered = new EnumMap<>(Row.class);
        private final Tags tags;
        private volatile Known known;

        private Series(Known known) {
            this.known = known;
            this.tags = tags(known.observed());
        }

        private void show(Known now) {
            known = now;
            for (var row : Row.values()) {
                boolean has = row.value.apply(now).isPresent();
                if (has && !registered.containsKey(row)) {
                    registered.put(row, register(row));
                } else if (!has && registered.containsKey(row)) {
                    meters.remove(registered.remove(row));
                }
            }
        }

        private Meter register(Row row) {
            return Gauge.builder(
                            row.metric, this, it -> row.value.apply(it.known).orElse(Double.NaN))
                    .description(row.description())
                    .tags(row.tags(tags))
                    .register(meters);
        }

        private void remove() {
            registered.values().forEach(meters::remove);
        }
    }

    VmMetrics(MeterRegistry meters, double cuMultiplier) {
        this.meters = meters;
        this.cuMultiplier = cuMultiplier;
    }

    /** A new observation of the VM. */
    public void observed(VmObserved vm) {
        if (vm.node().isEmpty() || vm.phase() == VmPhase.ENDED) {
            gone(vm.vm());
            return;
        }
        var before = Optional.ofNullable(vms.get(vm.vm()));
        var basis = before.map(series -> series.known.basis()).orElse(GoalBasis.NONE);
        var now = new Known(vm, basis, cuMultiplier);
        var kept = before.filter(series -> series.tags.equals(tags(vm)));
        if (kept.isEmpty()) {
            before.ifPresent(Series::remove);
            vms.put(vm.vm(), new Series(now));
        }
        vms.get(vm.vm()).show(now);
    }

    private static Tags tags(VmObserved observed) {
        return Tags.of(
                "vm_namespace",
                observed.vm().namespace(),
                "vm_name",
                observed.vm().name(),
                "endpoint_id",
                observed.traits().endpointId(),
                "project_id",
                observed.traits().projectId());
    }

    /** The numbers from which the VM's goal is made. */
    public void goal(VmId vm, GoalBasis basis) {
        var series = vms.get(vm);
        if (series != null && !series.known.basis().equals(basis)) {
            series.show(new Known(series.known.observed(), basis, cuMultiplier));
        }
    }

    /** Whether the VM serves a database endpoint, by its label. */
    public boolean isEndpoint(VmId vm) {
        return Optional.ofNullable(vms.get(vm))
                .filter(series -> !series.known.observed().traits().endpointId().isEmpty())
                .isPresent();
    }

    /** The VM is gone, or runs nowhere. */
    public void gone(VmId vm) {
        Optional.ofNullable(vms.remove(vm)).ifPresent(Series::remove);
    }

    /** Removes all series. */
    public void close() {
        vms.values().forEach(Series::remove);
        vms.clear();
    }
}
