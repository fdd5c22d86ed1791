package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of one VM at one instant.
 *
 * @param key {@code namespace/name}
 * @param observed the last observation; empty until there was one
 * @param status the last status of its runner; empty while none has arrived for a while
 * @param since when the current wait began
 * @param unit its compute unit; empty until the ledger has reported it
 * @param ledger the sums of its node when the status arrived; empty if they were not known
 * @param source the component that reported the status
 */
public record VmStatus(
        String key,
        Optional<VmObserved> observed,
        Optional<RunnerStatus> status,
        Instant since,
        Optional<Resources> unit,
        Optional<NodeLedgerView> ledger,
        Source source) {
    /** The component that reports a VM's status. */
    public enum Source {
        /** Its runner. */
        RUNNER,
        /** The ledger, as its agent is outside the bus: the goal is what the agent requested last. */
        LEDGER
    }

    /** Returns what it waits for; {@link Waiting#NOTHING} also if no runner has reported. */
    public Waiting waiting() {
        return status.map(RunnerStatus::waiting).orElse(Waiting.NOTHING);
    }

    /** Returns the node where it runs, as observed or reported; empty if neither is known. */
    public String node() {
        return observed.map(VmObserved::node)
                .filter(node -> !node.isEmpty())
                .or(() -> status.map(RunnerStatus::node))
                .orElse("");
    }

    /**
     * Returns the size that was set: the runner's if it reports one, because the runner patches it, else the observed
     * one.
     */
    public Resources size() {
        return status.filter(reported ->
                        source == Source.RUNNER && reported.waiting().isServed())
                .map(RunnerStatus::size)
                .or(() -> observed.map(vm -> vm.sizes().spec()))
                .orElse(Resources.NONE);
    }

    /** Returns this state as an entry that ended then, or that continues. */
    public Explanation explained(Optional<Instant> until, String sentence) {
        return Explanation.ofState(since, until, waiting().name(), key, node(), sentence)
                .withSizes(size(), status.flatMap(RunnerStatus::goal));
    }

    public VmView view(VmObserved vm) {
        return new VmView(
                key,
                vm.vm().uid(),
                vm.vm().driver(),
                vm.node(),
                vm.phase(),
                vm.autoscaled(),
                vm.migratable(),
                size(),
                vm.sizes().status(),
                status.flatMap(RunnerStatus::goal),
                status.flatMap(RunnerStatus::permit),
                vm.sizes().max(),
                waiting(),
                since,
                status.map(reported -> AmountText.brief(reported.reason())).orElse(""));
    }
}
