package io.sluice.ledger.core;

import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.explain.Denial;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statuses of VMs whose agents are of the reference's kind. No runner of Sluice publishes them, so the ledger does,
 * from their requests and permits. Each change is due once; an unchanged status is due again with a request at least 30
 * s later.
 */
public final class ReferenceAgents {
    /** Each call of {@link #due} looks at a slice of VMs, so that their statuses are not all due at one instant. */
    public static final int SLICES = 10;
    /** A VM's turn is in one of so many rounds of slices; only its first status is due at once. Each delays permits. */
    private static final int ROUNDS = 5;
    /** The calls in which each VM has its turn: 5 s with ten a second. Agents send a request every 15 s. */
    static final int CALLS = SLICES * ROUNDS;

    static final Duration REPEAT_AFTER = Duration.ofSeconds(30);
    private static final int VMS_MAX = 50_000;

    private final int vmsMax;
    private final LinkedHashMap<String, VmId> vms = new LinkedHashMap<>();
    /** What was published, by node and slice. */
    private final Map<String, Map<Integer, Map<String, Report>>> nodes = new HashMap<>();

    private final Map<String, Changed> changed = new LinkedHashMap<>();
    /** The newest state of each node, so that a command that changes nothing has no VM looked at again. */
    private final Map<String, NodeState> newest = new HashMap<>();

    private int call;

    /** Begins without any VM. */
    public ReferenceAgents() {
        this(VMS_MAX);
    }

    /**
     * Begins without any VM.
     *
     * @param vmsMax how many VMs are remembered; beyond that, the VM with the oldest observation is forgotten until its
     *     next
     */
    ReferenceAgents(int vmsMax) {
        this.vmsMax = vmsMax;
    }

    /**
     * The published status of a VM.
     *
     * @param since when it began to wait for its present cause
     * @param requestedAt when its agent had sent its last request
     */
    private record Report(RunnerStatus status, Instant since, Instant requestedAt) {
        boolean isNewerThan(Report known) {
            return !status.vm().equals(known.status.vm())
                    || !status.size().equals(known.status.size())
                    || !status.goal().equals(known.status.goal())
                    || !status.permit().equals(known.status.permit())
                    || status.waiting() != known.status.waiting()
                    || !requestedAt.isBefore(known.requestedAt.plus(REPEAT_AFTER));
        }
    }

    /**
     * A node whose ledger state has changed.
     *
     * @param state the newest
     * @param calls until each of its VMs has had its turn since
     */
    private record Changed(NodeState state, int calls) {}

    /** Records a VM's identity. The ledger state only has its name. */
    public void observed(VmId vm) {
        if (vms.putLast(vm.label(), vm) == null) {
            newest.clear();
        }
        if (vms.size() > vmsMax) {
            vms.pollFirstEntry();
        }
    }

    /** Records the newest ledger state of a node; the next {@link #CALLS} calls of {@link #due} look at its VMs. */
    public void changed(NodeState state) {
        if (newest.put(state.node(), state) != state) {
            changed.put(state.node(), new Changed(state, CALLS));
        }
    }

    /**
     * The statuses that are to be published now: each call looks at the next slice of VMs on the nodes that have
     * changed.
     */
    public List<RunnerStatus> due(Instant now) {
        call = (call + 1) % CALLS;
        List<RunnerStatus> due = new ArrayList<>();
        changed.replaceAll((node, change) -> {
            due.addAll(due(change.state(), now));
            return new Changed(change.state(), change.calls() - 1);
        });
        changed.values().removeIf(change -> change.calls() == 0);
        return due;
    }

    private List<RunnerStatus> due(NodeState state, Instant now) {
        int slice = call % SLICES;
        var slices = nodes.getOrDefault(state.node(), Map.of());
        var before = slices.getOrDefault(slice, Map.of());
        var after = new HashMap<String, Report>();
        List<RunnerStatus> due = new ArrayList<>();
        for (var reservation : state.reservations()) {
            int turn = Math.floorMod(reservation.id().hashCode(), CALLS);
            if (turn % SLICES != slice) {
                continue;
            }
            var known = before.get(reservation.id());
            if (known != null && turn != call) {
                after.put(reservation.id(), known);
                continue;
            }
            var last = reservation.session().ofReferenceAgent();
            var vm = last.flatMap(taken -> Optional.ofNullable(vms.get(
                    reservation.pod().namespace() + "/" + reservation.pod().vmName())));
            if (vm.isPresent()) {
                var report = report(vm.get(), state.node(), reservation, last.get(), Optional.ofNullable(known), now);
                boolean isDue = known == null || report.isNewerThan(known);
                after.put(reservation.id(), isDue ? report : known);
                if (isDue) {
                    due.add(report.status());
                }
            }
        }
        if (!before.isEmpty() || !after.isEmpty()) {
            nodes.computeIfAbsent(state.node(), unknown -> new HashMap<>()).put(slice, after);
        }
        return due;
    }

    /** Forgets a node whose ledger state this process no longer owns. */
    public void forget(String node) {
        nodes.remove(node);
        changed.remove(node);
        newest.remove(node);
    }

    private static Report report(
            VmId vm,
            String node,
            Reservation reservation,
            AgentSession.Taken last,
            Optional<Report> known,
            Instant now) {
        var waiting = reservation.migrates() ? Waiting.MIGRATION : Denial.cause(last.answer());
        var requestedAt = reservation.session().requestedAt().orElse(now);
        var since = known.filter(before -> before.status().waiting() == waiting)
                .map(Report::since)
                .orElse(requestedAt);
        var status = new RunnerStatus(
                vm,
                node,
                reservation.id(),
                reservation.observations().vm().map(Observations.Kind::amounts).orElse(Resources.NONE),
                Optional.of(last.request().target()),
                Optional.of(reservation.amounts().reported()),
                waiting,
                Duration.between(since, now),
                GoalBasis.NONE,
                Denial.reason(last.answer(), node),
                Optional.of(last.request().computeUnit()));
        return new Report(status, since, requestedAt);
    }
}
