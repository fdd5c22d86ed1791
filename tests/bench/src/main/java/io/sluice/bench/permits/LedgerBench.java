package io.sluice.bench.permits;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.Portions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many permit requests the ledger's core decides in a second on one core: VMs of one node request more and less in
 * turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LedgerBench {
    private static final String NODE = "node-1";
    private static final String RUNNER = "bench";

    /** Number of reservations of the node. */
    @Param({"10", "100", "1000"})
    public int members;

    /** How much is checked after each command. */
    @Param({"NONE", "CHANGES", "WHOLE"})
    public InvariantChecks checks;

    private final Instant now = Instant.EPOCH;
    private NodeLedger ledger;
    private NodeState state;
    private long[] sessions;
    private long turn;

    /** Loads the node and opens a session for each reservation. */
    @Setup
    public void load() {
        ledger = new NodeLedger(
                new LedgerRules(Duration.ofSeconds(10), 0.9, Portions.NOTHING, LastPermitTrust.RECOVERY, checks));
        state = NodeState.blank(NODE);
        List<PodObserved> pods = new ArrayList<>();
        List<VmObserved> vms = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            pods.add(new PodObserved(Members.pod(i), "default", Members.pod(i), NODE, "vm-" + i, 1, Members.UNIT, i));
            vms.add(Members.vm(i, NODE));
        }
        var node = new NodeObserved(NODE, 1, Members.MOST.times(members));
        var requested = apply(new LedgerCommand.Load(LoadNode.ahead(node)));
        apply(new LedgerCommand.Load(
                new LoadNode(node, 1, pods, vms).relist(requested.relist().orElseThrow())));
        sessions = new long[members];
        for (int i = 0; i < members; i++) {
            var reply = apply(new LedgerCommand.Open(new OpenSession(NODE, Members.pod(i), RUNNER, 0)));
            sessions[i] = reply instanceof OpenReply.Opened opened ? opened.session() : 0;
        }
    }

    /** One permit request. */
    @Benchmark
    public PermitReply permit() {
        int member = (int) (turn % members);
        long seq = turn / members + 1;
        turn++;
        var target = Members.UNIT.times(seq % 2 == 0 ? 1 : 4);
        return apply(new LedgerCommand.RequestPermit(new PermitRequest(
                NODE,
                Members.pod(member),
                RUNNER,
                sessions[member],
                seq,
                Members.UNIT,
                target,
                Optional.empty(),
                Optional.empty())));
    }

    private <A> A apply(LedgerCommand<A> command) {
        var outcome = ledger.apply(state, command, now, 1);
        state = outcome.state();
        return outcome.reply();
    }
}
