package io.sluice.replay.core.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A day of the fleet under one policy. Each period of 300 s the policy decides; a migration takes as long as its memory
 * needs at half of the node's network. A VM whose request is zero at some instant ends for good, as in CloudSim.
 */
public final class FleetReplay {
    private static final double PERIOD_SECONDS = 300;
    private static final double FIRST_SECOND = 0.1;
    private static final double JOULES_OF_KWH = 3_600_000;
    /** Half of 1 Gbit/s, in megabytes a second. */
    private static final double MEGABYTES_A_SECOND = 62.5;

    private static final double[] MIPS = {2_500, 2_000, 1_000, 500};
    private static final int[] RAM = {870, 1_740, 1_740, 613};

    /** A VM that arrives. */
    private record Arrival(double time, long order, FleetVm vm, FleetNode target) {}

    private final FleetPolicy policy;
    private final List<FleetNode> nodes = new ArrayList<>();
    private final List<FleetVm> vms = new ArrayList<>();
    private final PriorityQueue<Arrival> arrivals =
            new PriorityQueue<>(Comparator.comparingDouble(Arrival::time).thenComparingLong(Arrival::order));
    private final List<String> use = new ArrayList<>();
    private final List<Integer> migrationsByPeriod = new ArrayList<>();
    private double joules;
    private double processed;
    private int migrations;
    private long order;

    private FleetReplay(FleetPolicy policy, List<double[]> loads, int count) {
        this.policy = policy;
        for (int i = 0; i < count; i++) {
            nodes.add(new FleetNode(i, i % 2 == 0 ? NodeType.ML110_G4 : NodeType.ML110_G5));
        }
        int ofEachType = (loads.size() + MIPS.length - 1) / MIPS.length;
        for (int i = 0; i < loads.size(); i++) {
            int type = i / ofEachType;
            vms.add(new FleetVm(i, MIPS[type], RAM[type], loads.get(i)));
        }
        new FirstPlacement(nodes, policy.placesByPower()).place(vms);
    }

    /**
     * The score of a day; none if it was stopped.
     *
     * @param loads of each VM, the share of its CPU that it uses at the beginning of each period
     * @param nodes how many there are, of both types in turn
     */
    public static Optional<FleetScore> score(
            FleetPolicy policy, List<double[]> loads, int nodes, BooleanSupplier stop) {
        return new FleetReplay(policy, loads, nodes).run(loads.getFirst().length, stop);
    }

    private Optional<FleetScore> run(int periods, BooleanSupplier stop) {
        double time = FIRST_SECOND;
        var rule = policy.rule();
        for (int period = 1; period < periods; period++) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            time += PERIOD_SECONDS;
            arriveBefore(time);
            updateAll(time);
            use.add(useNow());
            int before = migrations;
            rule.moves(nodes).forEach(this::begin);
            migrationsByPeriod.add(migrations - before);
        }
        arriveBefore(time + PERIOD_SECONDS);
        nodes.forEach(FleetNode::end);
        double on = nodes.stream().mapToDouble(FleetNode::onSeconds).sum();
        double shortOf = nodes.stream().mapToDouble(FleetNode::shortSeconds).sum();
        double requested = vms.stream().mapToDouble(FleetVm::requestedOverTime).sum();
        double lost = vms.stream().mapToDouble(FleetVm::lostByMigration).sum();
        return Optional.of(new FleetScore(
                policy.key(),
                joules / JOULES_OF_KWH,
                migrations,
                on == 0 ? 0 : shortOf / on,
                requested == 0 ? 0 : lost / requested,
                nodes.stream().mapToInt(FleetNode::shutdowns).sum(),
                use,
                migrationsByPeriod));
    }

    private String useNow() {
        var text = new StringBuilder();
        for (var node : nodes) {
            text.append(node.share() == 0 ? '-' : (char) ('0' + Math.min(9, (int) (10 * node.share()))));
        }
        return text.toString();
    }

    private void updateAll(double time) {
        double seconds = time - processed;
        nodes.forEach(node -> node.update(time));
        if (seconds > 0) {
            for (var node : nodes) {
                joules += node.type().power().wattSeconds(node.shareBefore(), node.share(), seconds);
            }
        }
        for (var node : nodes) {
            node.vms().removeIf(vm -> !vm.migrating() && vm.requested() == 0);
        }
        processed = time;
    }

    private void begin(Consolidation.Move move) {
        var vm = move.vm();
        vm.migrating(true);
        if (!move.target().arriving().contains(vm)) {
            move.target().arriving().add(vm);
            move.target().vms().add(vm);
            move.target().update(processed);
            vm.node().update(processed);
        }
        migrations++;
        arrivals.add(new Arrival(processed + vm.ramMegabytes() / MEGABYTES_A_SECOND, order++, vm, move.target()));
    }

    private void arriveBefore(double time) {
        while (!arrivals.isEmpty() && arrivals.peek().time() < time) {
            double at = arrivals.peek().time();
            if (at > processed) {
                updateAll(at);
            }
            while (!arrivals.isEmpty() && arrivals.peek().time() == at) {
                arrive(arrivals.poll());
            }
            updateAll(at);
        }
    }

    private static void arrive(Arrival arrival) {
        var vm = arrival.vm();
        var target = arrival.target();
        Optional.ofNullable(vm.node()).ifPresent(home -> home.vms().remove(vm));
        target.vms().remove(vm);
        target.arriving().remove(vm);
        target.vms().add(vm);
        vm.on(target);
        vm.migrating(false);
    }
}
