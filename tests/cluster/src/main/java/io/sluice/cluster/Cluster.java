package io.sluice.cluster;

import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
import io.sluice.cluster.fleet.Agents;
import io.sluice.cluster.fleet.Fleet;
import io.sluice.cluster.fleet.Inventory;
import io.sluice.cluster.fleet.Observer;
import io.sluice.cluster.fleet.StateWatch;
import io.sluice.cluster.fleet.Workload;
import io.sluice.cluster.process.Ground;
import io.sluice.cluster.process.MemberProcess;
import io.sluice.cluster.process.MemberSpec;
import io.sluice.cluster.process.Place;
import io.sluice.cluster.process.Setup;
import io.sluice.launcher.core.Role;
import io.sluice.messages.cluster.RelistRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/** The processes of a setup, this process as an observer, and the agents that send requests to them all the time. */
final class Cluster implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration START_MAX = Duration.ofMinutes(3);
    private static final Duration READY_MAX = Duration.ofSeconds(180);
    private static final Duration SERVED_MAX = Duration.ofSeconds(120);
    private static final Duration HEALED_MAX = Duration.ofSeconds(30);
    private static final Duration AT_REST_MAX = Duration.ofSeconds(60);
    private static final long REPORT_AGAIN_NANOS = Duration.ofSeconds(4).toNanos();

    private final Ground ground;
    private final Setup setup;
    private final Path distribution;
    private final Path folder;
    private final List<MemberProcess> members = new ArrayList<>();
    private final Observer observer;
    private final Agents agents;
    private final Workload workload;
    private final StateWatch watch;
    private final Set<String> touched = new HashSet<>();
    private long settledNanos;

    /** Prepares all of it, without starting it. */
    Cluster(Ground ground, Setup setup, Fleet fleet, long seed, Path distribution, Path folder) {
        this.ground = ground;
        this.setup = setup;
        this.distribution = distribution;
        this.folder = folder;
        int number = 0;
        for (var spec : setup.members()) {
            number++;
            members.add(process(ground.place(number), spec));
        }
        var inventory = new Inventory(fleet, setup.migrates());
        observer = new Observer(ground.observer(), ledgersAt(), setup.ledgers(), fleet, inventory);
        agents = new Agents(
                fleet,
                inventory,
                members.stream()
                        .filter(member -> member.spec().hasGateway())
                        .map(MemberProcess::place)
                        .toList(),
                seed);
        workload = new Workload(fleet, inventory, observer, agents, setup.migrates(), seed);
        watch = new StateWatch(fleet.nodeNames(), observer::ledger);
    }

    private List<Place> ledgersAt() {
        var places = new ArrayList<Place>();
        for (int number = 1; number <= setup.ledgers(); number++) {
            places.add(ground.place(number));
        }
        return places;
    }

    private MemberProcess process(Place place, MemberSpec spec) {
        return new MemberProcess(place, spec, ledgersAt(), distribution, folder);
    }

    /** Starts all; returns when every VM is served. */
    void start() {
        ledgers().forEach(MemberProcess::start);
        // A process without the role ledger that starts first would form a Hazelcast cluster of its own, which merges
        // only later.
        until(
                START_MAX,
                () -> ledgers().stream().allMatch(MemberProcess::hasJoined),
                () -> ledgers().stream().map(MemberProcess::readiness).collect(Collectors.joining("; ")));
        members.stream().filter(member -> !member.isAlive()).forEach(MemberProcess::start);
        observer.start();
        awaitReady();
        agents.start();
        awaitServed(System.nanoTime());
        workload.start();
        watch.start();
    }

    Setup setup() {
        return setup;
    }

    Ground ground() {
        return ground;
    }

    Agents agents() {
        return agents;
    }

    Workload workload() {
        return workload;
    }

    StateWatch watch() {
        return watch;
    }

    Observer observer() {
        return observer;
    }

    List<MemberProcess> members() {
        return members;
    }

    MemberProcess reservation(int number) {
        return members.get(number - 1);
    }

    List<MemberProcess> ledgers() {
        return members.stream()
                .filter(member -> member.spec().keepsLedgerState())
                .toList();
    }

    /** The first process with this role and without the role ledger. */
    MemberProcess extra(Role role) {
        return members.stream()
                .filter(member -> !member.spec().keepsLedgerState()
                        && member.spec().roles().contains(role))
                .findFirst()
                .orElseThrow();
    }

    /** Adds one process beyond the setup. */
    MemberProcess intruder(MemberSpec spec) {
        return process(ground.place(members.size() + 1), spec);
    }

    /** The places of all others, this process included. */
    List<Place> othersThan(Collection<MemberProcess> some) {
        var others = members.stream()
                .filter(member -> !some.contains(member))
                .map(MemberProcess::place)
                .collect(Collectors.toCollection(ArrayList::new));
        others.add(ground.observer());
        return others;
    }

    /** The process that owns the ledger state of most nodes. */
    MemberProcess owner() {
        return keeping(ownedNode(), 0);
    }

    /** The process that has the replica of the node ledgers of {@link #owner}. */
    MemberProcess backup() {
        return keeping(ownedNode(), 1);
    }

    private String ownedNode() {
        // When all processes were stopped, the observer lost them, and may be joining anew.
        until(
                HEALED_MAX,
                () -> agents.fleet().nodeNames().stream()
                        .allMatch(node -> observer.ownerOf(node, 0).isPresent()
                                && observer.ownerOf(node, 1).isPresent()),
                () -> "the observer, of " + observer.members()
                        + " members, cannot see which process owns which node ledger");
        var byOwner = agents.fleet().nodeNames().stream()
                .filter(node -> observer.ownerOf(node, 0).isPresent())
                .collect(Collectors.groupingBy(node -> observer.ownerOf(node, 0).orElse("")));
        return byOwner.values().stream()
                .max((one, other) -> Integer.compare(one.size(), other.size()))
                .map(List::getFirst)
                .orElseThrow(() -> new Unhealed("no process owns any node ledger"));
    }

    private MemberProcess keeping(String node, int copy) {
        var endpoint = observer.ownerOf(node, copy);
        return members.stream()
                .filter(member -> Optional.of(member.place().endpoint()).equals(endpoint))
                .findFirst()
                .orElseThrow(() -> new Unhealed("copy " + copy + " of " + node + " is at " + endpoint));
    }

    /** Records that this process may leave the others, or appear to leave, because of a fault. */
    void touch(MemberProcess member) {
        touched.add(member.place().endpoint());
    }

    /** Returns the processes recorded since the last call. */
    Set<String> takeTouched() {
        var taken = Set.copyOf(touched);
        touched.clear();
        return taken;
    }

    /** Heals all cuts and starts each process that does not run. */
    void revive() {
        ground.heal();
        members.forEach(MemberProcess::thaw);
        members.stream().filter(member -> !member.isAlive()).forEach(MemberProcess::start);
    }

    /** Waits that long, or until an invariant is broken; returns at once if either is so already. */
    void hold(Duration length) {
        if (!length.isPositive()) {
            return;
        }
        long end = System.nanoTime() + length.toNanos();
        until(
                length.plusSeconds(5),
                () -> System.nanoTime() - end >= 0 || !agents.truth().isClean(),
                () -> "time");
    }

    /** Waits until all processes report that they are ready, and all are members. */
    void awaitReady() {
        until(
                READY_MAX,
                () -> members.stream().allMatch(MemberProcess::isReadyButForPeers)
                        && observer.members() == members.size() + 1,
                () -> observer.members() + " members, "
                        + members.stream()
                                .map(member -> member + " "
                                        + (member.isAlive() ? member.readiness() : "is dead").replace("\n", ", "))
                                .collect(Collectors.joining("; ")));
    }

    /** Waits until every VM has received a permit since then. */
    void awaitServed(long nanos) {
        until(
                SERVED_MAX,
                () -> agents.look(all -> all.window().servedSince(nanos)),
                () -> "not every VM is served; replies since: "
                        + agents.look(all -> all.window().observed().refused()));
    }

    /** Waits until no work is under way, every agent has reported what its VM uses, and the ledger has the same. */
    void awaitLedgersTrue() {
        workload.rest();
        until(AT_REST_MAX, workload::isAtRest, () -> "holds and migrations under way do not end");
        workload.complete();
        observer.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("checker"));
        settle();
        long begun = settledNanos;
        until(
                HEALED_MAX,
                agents::allReported,
                () -> "not every agent could report what its VM uses; replies: "
                        + agents.look(all -> all.window().observed().refused()));
        var left = HEALED_MAX.minusNanos(System.nanoTime() - begun).plusSeconds(1);
        until(
                left,
                this::areLedgersTrue,
                () -> "the ledger state differs from what the agents have: "
                        + observer.ledger().map(agents::differences).orElse(List.of("no snapshot of the ledger")));
    }

    /** A delayed observation may have raised what is reserved. Then the agents report once more, but not at once. */
    private boolean areLedgersTrue() {
        boolean so =
                observer.ledger().map(agents::differences).filter(List::isEmpty).isPresent();
        if (!so && System.nanoTime() - settledNanos > REPORT_AGAIN_NANOS) {
            settle();
        }
        return so;
    }

    private void settle() {
        agents.settle();
        settledNanos = System.nanoTime();
    }

    /**
     * Waits for a condition.
     *
     * @throws Unhealed when it is not true in time
     */
    void until(Duration atMost, BooleanSupplier condition, Supplier<String> instead) {
        try {
            await().atMost(atMost).pollDelay(Duration.ZERO).pollInterval(POLL).until(condition::getAsBoolean);
        } catch (ConditionTimeoutException late) {
            throw new Unhealed("after " + atMost.toSeconds() + " s: " + instead.get());
        }
    }

    @Override
    public void close() {
        watch.close();
        workload.close();
        agents.close();
        observer.close();
        members.forEach(MemberProcess::discard);
        ground.heal();
    }
}
