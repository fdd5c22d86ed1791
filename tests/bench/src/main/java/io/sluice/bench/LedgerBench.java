package io.sluice.bench;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.TrustLastPermit;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
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

/** Permits that the ledger's core rules in a second on one core: members of one node ask for more and less in turn. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LedgerBench {
    private static final String NODE = "node-1";
    private static final String RUNNER = "bench";
    private static final long GIB = 1L << 30;
    private static final Resources UNIT = new Resources(250, GIB);
    private static final Resources MOST = UNIT.times(16);

    /** How many members the node has. */
    @Param({"10", "100", "500"})
    public int members;

    /** Whether each command is followed by a recount of the whole node. */
    @Param({"false", "true"})
    public boolean checkInvariants;

    private final Instant now = Instant.EPOCH;
    private NodeLedger ledger;
    private NodeState books;
    private long[] sessions;
    private long turn;

    /** Loads the node and opens a session for each member. */
    @Setup
    public void load() {
        ledger = new NodeLedger(new LedgerRules(
                Duration.ofSeconds(10), 0.9, Resources.NONE, TrustLastPermit.RECOVERY, checkInvariants));
        books = NodeState.blank(NODE);
        List<PodSeen> pods = new ArrayList<>();
        List<VmSeen> vms = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            pods.add(new PodSeen(pod(i), "default", pod(i), NODE, "vm-" + i, 1, UNIT, i));
            vms.add(vm(i));
        }
        var node = new NodeSeen(NODE, 1, MOST.times(members));
        apply(new LedgerCommand.Load(new LoadNode(node, 1, pods, vms)));
        sessions = new long[members];
        for (int i = 0; i < members; i++) {
            var reply = apply(new LedgerCommand.Open(new OpenSession(NODE, pod(i), RUNNER, 0)));
            sessions[i] = reply instanceof OpenReply.Opened opened ? opened.session() : 0;
        }
    }

    /** One question. */
    @Benchmark
    public PermitReply permit() {
        int member = (int) (turn % members);
        long seq = turn / members + 1;
        turn++;
        var target = UNIT.times(seq % 2 == 0 ? 1 : 4);
        return apply(new LedgerCommand.Ask(new PermitRequest(
                NODE, pod(member), RUNNER, sessions[member], seq, UNIT, target, Optional.empty(), Optional.empty())));
    }

    private <A> A apply(LedgerCommand<A> command) {
        var outcome = ledger.apply(books, command, now);
        books = outcome.state();
        return outcome.reply();
    }

    private static String pod(int member) {
        return "pod-" + member;
    }

    private static VmSeen vm(int member) {
        return new VmSeen(
                new VmId("neonvm", "default", "vm-" + member, "uid-" + member),
                1,
                pod(member),
                pod(member),
                NODE,
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, MOST, UNIT, Optional.of(UNIT), GIB),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
