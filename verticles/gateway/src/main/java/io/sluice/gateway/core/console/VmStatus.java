package io.sluice.gateway.core.console;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known of one VM at one instant.
 *
 * @param key {@code namespace/name}
 * @param seen the last fact about it; empty until there was one
 * @param status what its runner said last; empty while none was heard of for a while
 * @param since how long what it waits for has been so
 * @param unit its compute unit; empty until the ledger told
 * @param books the sums of its node when the runner spoke last; empty where they were not known
 * @param source whose word the status is
 */
public record VmStatus(
        String key,
        Optional<VmObserved> seen,
        Optional<RunnerStatus> status,
        Instant since,
        Optional<Resources> unit,
        Optional<NodeLedgerView> books,
        Source source) {
    /** The component that reports a VM's status. */
    public enum Source {
        /** Its runner. */
        RUNNER,
        /** The ledger, as its agent is not one of ours: the goal is what that requested last. */
        LEDGER
    }

    /** What it waits for; {@link Waiting#NOTHING} also where no runner was heard of. */
    public Waiting waiting() {
        return status.map(RunnerStatus::waiting).orElse(Waiting.NOTHING);
    }

    /** Where it runs, or is said to run; empty where nobody says so. */
    public String node() {
        return seen.map(VmObserved::node)
                .filter(node -> !node.isEmpty())
                .or(() -> status.map(RunnerStatus::node))
                .orElse("");
    }

    /** What it was told to be, by whoever knows it better: by its runner, which patches it itself. */
    public Resources size() {
        return status.filter(said -> source == Source.RUNNER && said.waiting().isServed())
                .map(RunnerStatus::size)
                .or(() -> seen.map(vm -> vm.sizes().spec()))
                .orElse(Resources.NONE);
    }

    VmView view(VmObserved vm) {
        return new VmView(
                key,
                vm.vm().uid(),
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
                status.map(said -> AmountText.brief(said.reason())).orElse(""));
    }
}
