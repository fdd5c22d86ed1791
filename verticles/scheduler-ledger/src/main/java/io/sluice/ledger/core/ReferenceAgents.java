package io.sluice.ledger.core;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.Denial;
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
 * Where VMs stand whose agents are of the reference's kind: no runner of ours reports them, so the ledger does, from
 * what they requested and were permitted. Each change is due once, and the same again with a request 30 s later.
 */
public final class ReferenceAgents {
    static final Duration REPEAT_AFTER = Duration.ofSeconds(30);
    private static final int VMS_MAX = 50_000;

    private final int vmsMax;
    private final LinkedHashMap<String, VmId> vms = new LinkedHashMap<>();
    private final Map<String, Map<String, Report>> nodes = new HashMap<>();

    /** Of no VM yet. */
    public ReferenceAgents() {
        this(VMS_MAX);
    }

    /**
     * @param vmsMax beyond so many, the VM that was not observed for longest is forgotten until its next observation
     */
    ReferenceAgents(int vmsMax) {
        this.vmsMax = vmsMax;
    }

    /**
     * What was published of a VM.
     *
     * @param since when it began to wait for what it waits for
     * @param requestedAt when its agent had made its last request
     */
    private record Report(RunnerStatus status, Instant since, Instant requestedAt) {
        boolean saysMoreThan(Report known) {
            return !status.vm().equals(known.status.vm())
                    || !status.size().equals(known.status.size())
                    || !status.goal().equals(known.status.goal())
                    || !status.permit().equals(known.status.permit())
                    || status.waiting() != known.status.waiting()
                    || !requestedAt.isBefore(known.requestedAt.plus(REPEAT_AFTER));
        }
    }

    /** A VM was observed: the ledger's state has its name alone. */
    public void observed(VmId vm) {
        vms.putLast(vm.label(), vm);
        if (vms.size() > vmsMax) {
            vms.pollFirstEntry();
        }
    }

    /** What is to be published of the VMs of a node. */
    public List<RunnerStatus> due(NodeState state, Instant now) {
        var before = nodes.getOrDefault(state.node(), Map.of());
        var after = new HashMap<String, Report>();
        List<RunnerStatus> due = new ArrayList<>();
        for (var member : state.members()) {
            var last = member.talk().ofReferenceAgent();
            var vm = last.flatMap(taken -> Optional.ofNullable(
                    vms.get(member.who().namespace() + "/" + member.who().vmName())));
            if (vm.isPresent()) {
                var known = before.get(member.id());
                var report = report(vm.get(), state.node(), member, last.get(), Optional.ofNullable(known), now);
                boolean isDue = known == null || report.saysMoreThan(known);
                after.put(member.id(), isDue ? report : known);
                if (isDue) {
                    due.add(report.status());
                }
            }
        }
        nodes.put(state.node(), after);
        return due;
    }

    /** The ledger state of that node is kept elsewhere, or nowhere any more. */
    public void forget(String node) {
        nodes.remove(node);
    }

    private static Report report(
            VmId vm, String node, Reservation member, AgentSession.Taken last, Optional<Report> known, Instant now) {
        var waiting = member.standing().migrating() ? Waiting.MIGRATION : Denial.cause(last.answer());
        var requestedAt = member.talk().askedAt().orElse(now);
        var since = known.filter(before -> before.status().waiting() == waiting)
                .map(Report::since)
                .orElse(requestedAt);
        var status = new RunnerStatus(
                vm,
                node,
                member.id(),
                member.seen().vm().map(Observations.Kind::amounts).orElse(Resources.NONE),
                Optional.of(last.question().target()),
                Optional.of(member.amounts().told()),
                waiting,
                Duration.between(since, now),
                GoalBasis.NONE,
                Denial.reason(last.answer(), node));
        return new Report(status, since, requestedAt);
    }
}
