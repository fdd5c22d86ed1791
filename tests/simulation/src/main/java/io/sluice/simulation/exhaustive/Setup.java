package io.sluice.simulation.exhaustive;

import io.sluice.simulation.exhaustive.VmState.Agent;
import io.sluice.simulation.exhaustive.VmState.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The start of all histories, and the limits of their disturbances.
 *
 * @param name the name that is printed
 * @param vms the three VMs
 * @param pods those that are placed; none in most setups
 * @param beginning the progress at the start
 * @param faults limit of faults in one history, of all kinds together
 * @param budgets limit of each kind of disturbance in one history; kinds that are not named do not happen
 */
record Setup(
        String name,
        List<VmState> vms,
        List<PodState> pods,
        Beginning beginning,
        int faults,
        Map<Budget, Integer> budgets) {
    static final String NODE_1 = "node-1";
    static final String NODE_2 = "node-2";
    static final List<String> NODES = List.of(NODE_1, NODE_2);
    static final int VMS = 3;
    static final int PODS_MAX = 2;
    private static final int[] TOTALS = {5, 4};
    private static final int MAX = 4;

    /** The progress of all parts at the start. */
    enum Beginning {
        /** The first node's state was just lost: a full list is under way, its runners have just started. */
        LOST,
        /** Each runner scales its VM, no message is under way. */
        SERVING
    }

    /** What may happen only a limited number of times. */
    enum Budget {
        SHORT_STEPS(false),
        LONG_STEPS(false),
        LOADS(false),
        RECLAIMS(false),
        SWITCH_OFFS(false),
        ATTEMPTS(false),
        LEFT_OVERS(false),
        POD_ENDS(false),
        TIMEOUTS(true),
        REPEATS(true),
        DELAYED_OBSERVATIONS(true),
        CRASHES(true),
        FULL_LISTS(true),
        LOSSES(true),
        DEATHS(true),
        CUTS(true),
        /** A ledger process that was cut off returns with its old state, and the others take that over. */
        STALE_RETURNS(true);

        private final boolean fault;

        Budget(boolean fault) {
            this.fault = fault;
        }

        /** Whether it counts as a fault, of which the total is limited. */
        boolean isFault() {
            return fault;
        }
    }

    Setup {
        vms = List.copyOf(vms);
        pods = List.copyOf(pods);
    }

    private Setup(String name, List<VmState> vms, Beginning beginning, int faults, Map<Budget, Integer> budgets) {
        this(name, vms, List.of(), beginning, faults, budgets);
    }

    static int total(String node) {
        return TOTALS[NODES.indexOf(node)];
    }

    List<Kind> kinds() {
        return vms.stream().map(VmState::kind).toList();
    }

    int budget(Budget budget) {
        return budgets.getOrDefault(budget, 0);
    }

    /** The same setup with that limit of faults. */
    Setup withFaults(int most) {
        return new Setup(name, vms, pods, beginning, most, budgets);
    }

    /** All setups that are played by default. */
    static List<Setup> all() {
        return List.of(
                serving(),
                afterALoss(),
                losing(),
                switchedOff(),
                reference("reference", Agent.REFERENCE, 1),
                reference("reference-silent", Agent.REFERENCE_SILENT, 0),
                placing());
    }

    /** The setup of that name. */
    static Setup named(String name) {
        return Stream.concat(all().stream(), Stream.of(stale()))
                .filter(setup -> setup.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no setup " + name));
    }

    private static Setup serving() {
        return new Setup(
                "serving",
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", Agent.STRICT, NODE_1, 2, 2), third()),
                Beginning.SERVING,
                2,
                Map.of(
                        Budget.LOADS, 3,
                        Budget.TIMEOUTS, 2,
                        Budget.REPEATS, 1,
                        Budget.DELAYED_OBSERVATIONS, 1,
                        Budget.SHORT_STEPS, 1,
                        Budget.LONG_STEPS, 1,
                        Budget.CRASHES, 1));
    }

    private static Setup afterALoss() {
        return new Setup(
                "after-a-loss",
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", Agent.STRICT, NODE_1, 2, 1), fixed()),
                Beginning.LOST,
                1,
                Map.of(
                        Budget.LOADS, 2,
                        Budget.TIMEOUTS, 1,
                        Budget.REPEATS, 1,
                        Budget.CRASHES, 1,
                        Budget.DELAYED_OBSERVATIONS, 1,
                        Budget.SHORT_STEPS, 1,
                        Budget.LONG_STEPS, 1,
                        Budget.RECLAIMS, 1));
    }

    private static Setup losing() {
        return new Setup(
                "losing",
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", Agent.STRICT, NODE_1, 2, 2), fixed()),
                Beginning.SERVING,
                2,
                Map.of(
                        Budget.LOADS, 2,
                        Budget.LOSSES, 1,
                        Budget.TIMEOUTS, 1,
                        Budget.FULL_LISTS, 1,
                        Budget.LONG_STEPS, 1,
                        Budget.RECLAIMS, 1));
    }

    private static Setup switchedOff() {
        return new Setup(
                "switched-off",
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", Agent.STRICT, NODE_1, 2, 2), fixed()),
                Beginning.SERVING,
                1,
                Map.of(
                        Budget.LOADS, 3,
                        Budget.SWITCH_OFFS, 1,
                        Budget.RECLAIMS, 2,
                        Budget.TIMEOUTS, 1,
                        Budget.LOSSES, 1,
                        Budget.DELAYED_OBSERVATIONS, 1,
                        Budget.LONG_STEPS, 2));
    }

    private static Setup reference(String name, Agent agent, int timeouts) {
        return new Setup(
                name,
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", agent, NODE_1, 3, 3), fixed()),
                Beginning.SERVING,
                1,
                Map.of(
                        Budget.LOADS, 3,
                        Budget.TIMEOUTS, timeouts,
                        Budget.REPEATS, 1,
                        Budget.SHORT_STEPS, 1,
                        Budget.LONG_STEPS, 1,
                        Budget.LOSSES, 1));
    }

    /** Two processes place two pods, of which one node has room for one, beside a VM that grows into the other's. */
    private static Setup placing() {
        return new Setup(
                "placing",
                List.of(
                        vm("P", Agent.STRICT, NODE_1, 2, 2),
                        VmState.of(new Kind("Q", Agent.STRICT, 1), NODE_1, 1, 1),
                        fixed()),
                List.of(PodState.of("A", 2), PodState.of("B", 2)),
                Beginning.SERVING,
                2,
                Map.of(
                        Budget.ATTEMPTS, 3,
                        Budget.LEFT_OVERS, 2,
                        Budget.POD_ENDS, 1,
                        Budget.LOADS, 1,
                        Budget.TIMEOUTS, 2,
                        Budget.REPEATS, 1,
                        Budget.CRASHES, 1,
                        Budget.DEATHS, 1,
                        Budget.LONG_STEPS, 1));
    }

    /** A fault that the clustered store must prevent: it breaks the promise, so {@link #all} does not contain it. */
    private static Setup stale() {
        return new Setup(
                "stale",
                List.of(vm("P", Agent.STRICT, NODE_1, 2, 2), vm("Q", Agent.STRICT, NODE_1, 1, 1), third()),
                Beginning.SERVING,
                3,
                Map.of(Budget.LOADS, 2, Budget.CUTS, 1, Budget.DEATHS, 1, Budget.STALE_RETURNS, 1));
    }

    private static VmState third() {
        return vm("R", Agent.STRICT, NODE_2, 1, 1);
    }

    /** A VM that has only one size. */
    private static VmState fixed() {
        return VmState.of(new Kind("R", Agent.STRICT, 1), NODE_2, 1, 1);
    }

    private static VmState vm(String name, Agent agent, String node, int spec, int status) {
        return VmState.of(new Kind(name, agent, MAX), node, spec, status);
    }
}
