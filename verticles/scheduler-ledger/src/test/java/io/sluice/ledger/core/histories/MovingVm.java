package io.sluice.ledger.core.histories;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A VM and its agent in a test. The agent is as strict as real ones: it grows only on a permit that was requested less
 * than ten seconds ago, treats a decrease as done when it sends it, and never reports less than its VM uses.
 */
final class MovingVm {
    static final Resources UNIT = new Resources(250, 1);
    private static final Duration VALID_FOR = Duration.ofSeconds(10);

    final String name;
    final long max;
    final boolean autoscaled;
    String pod;
    String node;
    long using;
    private long permit;
    private Instant requestedAt = Instant.MIN;
    private long session;
    private long seq;
    private final List<PermitRequest> sent = new ArrayList<>();

    MovingVm(String name, long max, boolean autoscaled, String node) {
        this.name = name;
        this.max = max;
        this.autoscaled = autoscaled;
        this.node = node;
        pod = name + "-on-" + node;
        using = 250;
        permit = using;
    }

    /** Without a valid permit it may only use what it uses. */
    long mayUse(Instant now) {
        boolean lapsed = now.isAfter(requestedAt.plus(VALID_FOR));
        return lapsed ? using : Math.max(using, permit);
    }

    /** The ledger, as an agent reaches it. */
    @FunctionalInterface
    interface Ledger {
        <A> A request(String node, LedgerCommand<A> command);
    }

    /** Half of all replies are lost. */
    void request(Ledger ledger, Random random, Instant now) {
        if (!autoscaled || !opened(ledger, random, now)) {
            return;
        }
        long target = Math.max(using, 1 + random.nextInt((int) max));
        seq++;
        var lastPermit = Optional.of(new Resources(mayUse(now), 1));
        var request = new PermitRequest(
                node, pod, "runner", session, seq, UNIT, new Resources(target, 1), lastPermit, Optional.of(0.5f));
        sent.add(request);
        permit = Math.min(mayUse(now), target);
        if (ledger.request(node, new LedgerCommand.RequestPermit(request)) instanceof PermitReply.Ruled ruled
                && random.nextBoolean()) {
            permitted(ruled.permit(), now);
        }
    }

    private void permitted(Resources amounts, Instant now) {
        permit = amounts.milliCpu();
        requestedAt = now;
    }

    /** What is reserved when a session opens may be used as well. */
    private boolean opened(Ledger ledger, Random random, Instant now) {
        if (session > 0 && random.nextInt(8) > 0) {
            return true;
        }
        var reply = ledger.request(node, new LedgerCommand.Open(new OpenSession(node, pod, "runner", session)));
        if (!(reply instanceof OpenReply.Opened opened)) {
            return false;
        }
        if (opened.session() != session) {
            session = opened.session();
            seq = 0;
            if (!opened.recovered() && random.nextBoolean()) {
                permitted(opened.reserved(), now);
            }
        }
        return true;
    }

    void repeatSomethingOld(Ledger ledger, Random random) {
        if (!sent.isEmpty()) {
            var request = sent.get(random.nextInt(sent.size()));
            ledger.request(request.node(), new LedgerCommand.RequestPermit(request));
        }
    }

    void grow(Instant now) {
        using = Math.max(using, Math.min(mayUse(now), max));
    }

    void shrink(Instant now) {
        permit = mayUse(now);
        using = Math.max(1, using / 2);
    }

    /** The patches of the runner at the source are refused from now on; another runner starts. */
    void moved(String newNode, String newPod) {
        node = newNode;
        pod = newPod;
        permit = using;
        session = 0;
        seq = 0;
    }

    VmObserved observed(long version) {
        var sizes =
                new VmSizes(new Resources(1, 1), new Resources(max, 1), new Resources(using, 1), Optional.empty(), 1);
        return new VmObserved(
                new VmId("test", "ns", name, name),
                version,
                pod,
                pod,
                node,
                VmPhase.RUNNING,
                autoscaled,
                true,
                false,
                sizes,
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
