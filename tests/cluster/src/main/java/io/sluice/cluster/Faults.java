package io.sluice.cluster;

import io.sluice.cluster.process.Cut;
import io.sluice.cluster.process.MemberProcess;
import io.sluice.cluster.process.MemberSpec;
import io.sluice.cluster.process.Setup;
import io.sluice.cluster.process.WallClock;
import io.sluice.launcher.core.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All faults, in the order in which they are played. */
final class Faults {
    private static final int MANY = 20;
    private static final int SOME = 5;
    private static final Duration FROZEN = Duration.ofSeconds(20);
    private static final Duration CUT = Duration.ofSeconds(10);
    private static final Duration DOWN = Duration.ofSeconds(5);
    private static final Duration NOTICED_MAX = Duration.ofSeconds(40);
    private static final int JUMP_SECONDS = 10;

    private Faults() {}

    static List<Scenario> all() {
        var all = new ArrayList<Scenario>();
        all.addAll(ofOne());
        all.addAll(Sequences.all());
        all.addAll(ofSeveral());
        all.addAll(ofExtras());
        all.addAll(ofFive());
        all.addAll(ofClocks());
        return List.copyOf(all);
    }

    private static List<Scenario> ofOne() {
        return List.of(
                killed("kill-owner", "kill -9 of the process that owns most node ledgers", MANY, kill(Cluster::owner)),
                killed("kill-backup", "kill -9 of the process with the replicas of those", SOME, kill(Cluster::backup)),
                frozen("freeze-owner", "SIGSTOP of the owner for 20 s", freeze(Cluster::owner)),
                frozen("freeze-backup", "SIGSTOP of the backup for 20 s", freeze(Cluster::backup)),
                cutting("cut-owner-drop", "owner | the others for 10 s, packets are dropped", Cut.DROP),
                cutting("cut-owner-reject", "owner | the others for 10 s, connections are reset", Cut.REJECT),
                cutting("cut-owner-sent", "what the owner sends is dropped for 10 s", Cut.DROP_SENT),
                cutting("cut-owner-received", "what is sent to the owner is dropped for 10 s", Cut.DROP_RECEIVED));
    }

    private static List<Scenario> ofSeveral() {
        return List.of(
                new Scenario(
                        "lose-copies",
                        "the backup killed and the owner cut off at once",
                        Setup.THREE,
                        MANY,
                        true,
                        Faults::loseCopies),
                new Scenario("each-alone", "all three cut off for 10 s", Setup.THREE, MANY, true, Faults::eachAlone),
                three("rolling-restart", "each stopped and started, one after the other", SOME, Faults::roll),
                three("lose-two", "two of three killed, down for 5 s", SOME, Faults::loseTwo),
                three("stop-all", "all stopped, then started", SOME, Faults::stopAll),
                three(
                        "other-size",
                        "a fourth process configured for five ledgers joins and leaves",
                        SOME,
                        Faults::otherSize));
    }

    private static List<Scenario> ofExtras() {
        var all = new ArrayList<Scenario>();
        for (var role : List.of(Role.GATEWAY, Role.AGENT, Role.PRESSURE)) {
            all.add(new Scenario(
                            "kill-" + role.key(),
                            "kill -9 of one of two that have the role " + role.key() + " alone",
                            Setup.EXTRAS,
                            SOME,
                            false,
                            kill(cluster -> cluster.extra(role)))
                    .within(Goal.KILLED)
                    .keepingState());
            all.add(new Scenario(
                            "freeze-" + role.key(),
                            "SIGSTOP of the same for 20 s",
                            Setup.EXTRAS,
                            MANY,
                            false,
                            freeze(cluster -> cluster.extra(role)))
                    .within(Goal.LEFT_OUT)
                    .keepingState());
        }
        return all;
    }

    private static List<Scenario> ofFive() {
        return List.of(
                new Scenario(
                                "cut-two-of-five-drop",
                                "owner and backup | three others for 10 s, packets are dropped",
                                Setup.FIVE,
                                MANY,
                                true,
                                cut(Cut.DROP, cluster -> List.of(cluster.owner(), cluster.backup())))
                        .within(Goal.LEFT_OUT)
                        .keepingState(),
                new Scenario(
                                "cut-two-of-five-reject",
                                "the same, connections are reset",
                                Setup.FIVE,
                                MANY,
                                true,
                                cut(Cut.REJECT, cluster -> List.of(cluster.owner(), cluster.backup())))
                        .within(Goal.LEFT_OUT)
                        .keepingState());
    }

    private static List<Scenario> ofClocks() {
        return List.of(
                new Scenario(
                        "clock-ahead",
                        "kill -9 of the owner where a member's clock is 10 s ahead",
                        Setup.AHEAD,
                        SOME,
                        false,
                        kill(Cluster::owner)),
                new Scenario(
                        "clock-jump",
                        "a member's clock jumps 10 s ahead, then 10 s back",
                        Setup.JUMPY,
                        SOME,
                        false,
                        Faults::jump));
    }

    private static Scenario three(String name, String what, int rounds, Fault fault) {
        return new Scenario(name, what, Setup.THREE, rounds, false, fault);
    }

    private static Scenario killed(String name, String what, int rounds, Fault fault) {
        return three(name, what, rounds, fault).within(Goal.KILLED).keepingState();
    }

    private static Scenario frozen(String name, String what, Fault fault) {
        return three(name, what, MANY, fault).within(Goal.LEFT_OUT).keepingState();
    }

    private static Scenario cutting(String name, String what, Cut how) {
        return new Scenario(name, what, Setup.THREE, MANY, true, cut(how, cluster -> List.of(cluster.owner())))
                .within(Goal.LEFT_OUT)
                .keepingState();
    }

    private static Fault kill(Function<Cluster, MemberProcess> target) {
        return cluster -> {
            var victim = target.apply(cluster);
            cluster.touch(victim);
            victim.kill();
            cluster.awaitServed(System.nanoTime());
            cluster.hold(DOWN);
            return victim::start;
        };
    }

    private static Fault freeze(Function<Cluster, MemberProcess> target) {
        return cluster -> {
            var victim = target.apply(cluster);
            cluster.touch(victim);
            victim.freeze();
            long begun = System.nanoTime();
            cluster.awaitServed(begun);
            cluster.hold(FROZEN.minusNanos(System.nanoTime() - begun));
            return victim::thaw;
        };
    }

    private static Fault cut(Cut how, Function<Cluster, List<MemberProcess>> targets) {
        return cluster -> {
            var some = targets.apply(cluster);
            some.forEach(cluster::touch);
            cluster.ground().cut(some.stream().map(MemberProcess::place).toList(), cluster.othersThan(some), how);
            cluster.hold(CUT);
            cluster.awaitServed(System.nanoTime());
            return cluster.ground()::heal;
        };
    }

    /** The owner has lost one replica and cannot make the next: it is isolated, and so is the third process. */
    private static Runnable loseCopies(Cluster cluster) {
        var owner = cluster.owner();
        var backup = cluster.backup();
        cluster.workload().stateLost();
        cluster.ledgers().forEach(cluster::touch);
        backup.kill();
        cluster.ground().cut(List.of(owner.place()), cluster.othersThan(List.of(owner)), Cut.DROP);
        cluster.hold(CUT);
        return () -> {
            cluster.ground().heal();
            backup.start();
        };
    }

    private static Runnable eachAlone(Cluster cluster) {
        cluster.workload().stateLost();
        cluster.ledgers().forEach(cluster::touch);
        cluster.ledgers()
                .forEach(member ->
                        cluster.ground().cut(List.of(member.place()), cluster.othersThan(List.of(member)), Cut.DROP));
        cluster.hold(CUT);
        return cluster.ground()::heal;
    }

    private static Runnable roll(Cluster cluster) {
        for (var member : cluster.ledgers()) {
            cluster.touch(member);
            member.stop();
            cluster.awaitServed(System.nanoTime());
            member.start();
            cluster.awaitReady();
            cluster.awaitServed(System.nanoTime());
        }
        return () -> {};
    }

    private static Runnable loseTwo(Cluster cluster) {
        var owner = cluster.owner();
        var backup = cluster.backup();
        cluster.workload().stateLost();
        cluster.ledgers().forEach(cluster::touch);
        owner.kill();
        backup.kill();
        cluster.hold(DOWN);
        return () -> {
            owner.start();
            backup.start();
        };
    }

    private static Runnable stopAll(Cluster cluster) {
        cluster.workload().stateLost();
        cluster.ledgers().forEach(cluster::touch);
        cluster.ledgers().forEach(MemberProcess::requestToStop);
        cluster.ledgers().forEach(MemberProcess::stop);
        return () -> cluster.ledgers().forEach(MemberProcess::start);
    }

    private static Runnable otherSize(Cluster cluster) {
        var intruder =
                cluster.intruder(MemberSpec.only(Role.LEDGER, cluster.setup().ledgers() + 2));
        cluster.workload().stateLost();
        cluster.touch(intruder);
        intruder.start();
        try {
            for (var member : cluster.ledgers()) {
                cluster.until(
                        NOTICED_MAX,
                        () -> member.readiness().contains("hazelcast.ledgers"),
                        () -> member + " does not report that others are configured with another size: "
                                + member.readiness());
            }
            cluster.hold(DOWN);
        } finally {
            intruder.stop();
        }
        return () -> {};
    }

    private static Runnable jump(Cluster cluster) {
        cluster.workload().stateLost();
        var jumpy = cluster.reservation(Setup.WRONG_CLOCK).folder();
        for (int seconds : new int[] {JUMP_SECONDS, -JUMP_SECONDS}) {
            WallClock.jump(jumpy, seconds);
            cluster.hold(CUT);
            cluster.awaitServed(System.nanoTime());
        }
        return () -> WallClock.jump(jumpy, 0);
    }
}
