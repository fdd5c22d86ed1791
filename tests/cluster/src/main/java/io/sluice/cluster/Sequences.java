package io.sluice.cluster;

import io.sluice.cluster.process.Cut;
import io.sluice.cluster.process.MemberProcess;
import io.sluice.cluster.process.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults in a row, after which outdated ledger state could come to be used. Some processes are left out until they are
 * replaced, the others go on granting, one of those dies, and the outdated processes return before it.
 */
final class Sequences {
    private static final int ROUNDS = 20;
    private static final Duration GRANTING = Duration.ofSeconds(6);
    private static final Duration NOTICED = Duration.ofSeconds(2);
    private static final Duration STARTING = Duration.ofSeconds(3);
    private static final Duration REPLACED_MAX = Duration.ofSeconds(40);
    private static final Duration ALL_FROZEN = Duration.ofSeconds(10);

    private Sequences() {}

    /** The processes whose state becomes outdated. */
    private enum Stale {
        LOWEST,
        HIGHEST;

        /** That many of the ledger processes, from this end of their addresses. */
        List<MemberProcess> of(List<MemberProcess> ledgers, int count) {
            return this == LOWEST ? ledgers.subList(0, count) : ledgers.subList(ledgers.size() - count, ledgers.size());
        }
    }

    static List<Scenario> all() {
        var all = new ArrayList<Scenario>();
        for (var stale : Stale.values()) {
            var end = stale == Stale.LOWEST ? "low" : "high";
            all.add(three(
                    "stale-cut-" + end,
                    "A cut off until replaced, B and C grant, C killed, the cut healed",
                    cluster -> cutThenHeal(cluster, stale.of(cluster.ledgers(), 1))));
            all.add(three(
                    "stale-freeze-" + end,
                    "the same, A stopped by SIGSTOP instead",
                    cluster -> freezeThenThaw(cluster, stale)));
            all.add(new Scenario(
                    "stale-five-" + end,
                    "two of five cut off until replaced, three grant, one of them killed, the cut healed",
                    Setup.FIVE,
                    ROUNDS,
                    true,
                    cluster -> cutThenHeal(cluster, stale.of(cluster.ledgers(), 2))));
        }
        all.add(three(
                "stale-restart-cut",
                "A cut off until replaced, B and C grant, C killed and started where it reaches A and not B",
                Sequences::restartBesideCut));
        all.add(three(
                "stale-restart-freeze",
                "the same, A stopped by SIGSTOP and still counting B and C among its members",
                Sequences::restartBesideFrozen));
        all.add(three("freeze-all", "SIGSTOP of all three for 10 s", Sequences::freezeAll)
                .keepingState());
        return all;
    }

    private static Scenario three(String name, String what, Fault fault) {
        return new Scenario(name, what, Setup.THREE, ROUNDS, true, fault);
    }

    private static Runnable cutThenHeal(Cluster cluster, List<MemberProcess> stale) {
        cut(cluster, stale);
        awaitReplaced(cluster, stale.size());
        var killed = killOneOf(cluster, stale);
        cluster.hold(NOTICED);
        cluster.ground().heal();
        cluster.awaitServed(System.nanoTime());
        return killed::start;
    }

    private static Runnable freezeThenThaw(Cluster cluster, Stale end) {
        var stale = end.of(cluster.ledgers(), 1);
        stale.getFirst().freeze();
        awaitReplaced(cluster, 1);
        var killed = killOneOf(cluster, stale);
        cluster.hold(NOTICED);
        stale.getFirst().thaw();
        cluster.awaitServed(System.nanoTime());
        return killed::start;
    }

    private static Runnable restartBesideCut(Cluster cluster) {
        var stale = Stale.LOWEST.of(cluster.ledgers(), 1);
        cut(cluster, stale);
        awaitReplaced(cluster, 1);
        var killed = killOneOf(cluster, stale);
        cluster.ground().heal();
        cut(cluster, remaining(cluster, stale, killed));
        killed.start();
        cluster.awaitServed(System.nanoTime());
        return cluster.ground()::heal;
    }

    /**
     * The process starts while the frozen one accepts its connection without a reply, and still counts the dead
     * processes as members.
     */
    private static Runnable restartBesideFrozen(Cluster cluster) {
        var stale = Stale.LOWEST.of(cluster.ledgers(), 1);
        stale.getFirst().freeze();
        awaitReplaced(cluster, 1);
        var killed = killOneOf(cluster, stale);
        cut(cluster, remaining(cluster, stale, killed));
        killed.start();
        cluster.hold(STARTING);
        stale.getFirst().thaw();
        cluster.awaitServed(System.nanoTime());
        return cluster.ground()::heal;
    }

    private static Runnable freezeAll(Cluster cluster) {
        cluster.ledgers().forEach(cluster::touch);
        cluster.ledgers().forEach(MemberProcess::freeze);
        cluster.hold(ALL_FROZEN);
        return () -> cluster.ledgers().forEach(MemberProcess::thaw);
    }

    private static void cut(Cluster cluster, List<MemberProcess> some) {
        cluster.ground().cut(some.stream().map(MemberProcess::place).toList(), cluster.othersThan(some), Cut.DROP);
    }

    /** Waits until the others serve every VM without them, and some time more. */
    private static void awaitReplaced(Cluster cluster, int left) {
        cluster.ledgers().forEach(cluster::touch);
        int expected = cluster.members().size() + 1 - left;
        cluster.until(
                REPLACED_MAX,
                () -> cluster.observer().members() == expected,
                () -> cluster.observer().members() + " members are left, not " + expected);
        cluster.awaitServed(System.nanoTime());
        cluster.hold(GRANTING);
    }

    /** From here on no majority has the newest state. */
    private static MemberProcess killOneOf(Cluster cluster, List<MemberProcess> stale) {
        var killed = fresh(cluster, stale).getLast();
        cluster.workload().stateLost();
        killed.kill();
        return killed;
    }

    private static List<MemberProcess> remaining(Cluster cluster, List<MemberProcess> stale, MemberProcess killed) {
        return fresh(cluster, stale).stream()
                .filter(member -> !member.equals(killed))
                .toList();
    }

    private static List<MemberProcess> fresh(Cluster cluster, List<MemberProcess> stale) {
        return cluster.ledgers().stream()
                .filter(member -> !stale.contains(member))
                .toList();
    }
}
