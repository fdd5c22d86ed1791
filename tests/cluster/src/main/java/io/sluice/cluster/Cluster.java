package io.sluice.cluster;

import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
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

/** Processes on some ground, this one among them as an observer, and the agents that ask them all the time. */
final class Cluster implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration START_MAX = Duration.ofMinutes(3);
    private static final Duration READY_MAX = Duration.ofSeconds(180);
    private static final Duration SERVED_MAX = Duration.ofSeconds(120);
    private static final Duration HEALED_MAX = Duration.ofSeconds(30);
    private static final Duration AT_REST_MAX = Duration.ofSeconds(60);
    private static final long TELL_AGAIN_NANOS = Duration.ofSeconds(4).toNanos();

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

    /** All of it, not started yet. */
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
        watch = new StateWatch(fleet.nodeNames(), observer::books);
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

    /** Returns when every VM is served. */
    void start() {
        ledgers().forEach(MemberProcess::start);
        // Whoever keeps no books and comes first would be a cluster of its own, which merges only later.
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

    MemberProcess member(int number) {
        return members.get(number - 1);
    }

    List<MemberProcess> ledgers() {
        return members.stream().filter(member -> member.spec().keepsBooks()).toList();
    }

    /** The first that has this role and keeps no books. */
    MemberProcess extra(Role role) {
        return members.stream()
                .filter(member ->
                        !member.spec().keepsBooks() && member.spec().roles().contains(role))
                .findFirst()
                .orElseThrow();
    }

    /** One more, beyond the setup. */
    MemberProcess intruder(MemberSpec spec) {
        return process(ground.place(members.size() + 1), spec);
    }

    /** Everybody but those, this process included. */
    List<Place> othersThan(Collection<MemberProcess> some) {
        var others = members.stream()
                .filter(member -> !some.contains(member))
                .map(MemberProcess::place)
                .collect(Collectors.toCollection(ArrayList::new));
        others.add(ground.observer());
        return others;
    }

    /** Whoever has most nodes' books. */
    MemberProcess owner() {
        return keeping(ownedNode(), 0);
    }

    /** Who has the copy of books that {@link #owner} owns. */
    MemberProcess backup() {
        return keeping(ownedNode(), 1);
    }

    private String ownedNode() {
        // When all were stopped, this process had lost them, and may be joining anew.
        until(
                HEALED_MAX,
                () -> agents.fleet().nodeNames().stream()
                        .allMatch(node -> observer.keeperOf(node, 0).isPresent()
                                && observer.keeperOf(node, 1).isPresent()),
                () -> "the observer, of " + observer.members()
                        + " members, does not know who keeps which node's state");
        var byOwner = agents.fleet().nodeNames().stream()
                .filter(node -> observer.keeperOf(node, 0).isPresent())
                .collect(
                        Collectors.groupingBy(node -> observer.keeperOf(node, 0).orElse("")));
        return byOwner.values().stream()
                .max((one, other) -> Integer.compare(one.size(), other.size()))
                .map(List::getFirst)
                .orElseThrow(() -> new Unhealed("nobody owns any node's books"));
    }

    private MemberProcess keeping(String node, int copy) {
        var endpoint = observer.keeperOf(node, copy);
        return members.stream()
                .filter(member -> Optional.of(member.place().endpoint()).equals(endpoint))
                .findFirst()
                .orElseThrow(() -> new Unhealed("copy " + copy + " of " + node + " is at " + endpoint));
    }

    /** That process may now leave the others, or seem to. */
    void touch(MemberProcess member) {
        touched.add(member.place().endpoint());
    }

    /** Which were touched since this was asked last. */
    Set<String> takeTouched() {
        var taken = Set.copyOf(touched);
        touched.clear();
        return taken;
    }

    /** Mends all cuts and starts whoever does not run. */
    void revive() {
        ground.heal();
        members.forEach(MemberProcess::thaw);
        members.stream().filter(member -> !member.isAlive()).forEach(MemberProcess::start);
    }

    /** Waits that long, or until a promise is broken; not at all where that time is over already. */
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

    /** All processes say that they are ready, and all are members. */
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

    /** Every VM was given a good answer since then. */
    void awaitServed(long nanos) {
        until(
                SERVED_MAX,
                () -> agents.look(all -> all.window().servedSince(nanos)),
                () -> "not every VM is served; answers since: "
                        + agents.look(all -> all.window().seen().refused()));
    }

    /** Nothing is under way any more, every agent reports what its VM uses, and the ledger has the same. */
    void awaitBooksTrue() {
        workload.rest();
        until(AT_REST_MAX, workload::isAtRest, () -> "holds and migrations under way do not end");
        workload.complete();
        observer.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest("checker"));
        settle();
        long begun = settledNanos;
        until(
                HEALED_MAX,
                agents::allTold,
                () -> "not every agent could tell what its VM uses; answers: "
                        + agents.look(all -> all.window().seen().refused()));
        var left = HEALED_MAX.minusNanos(System.nanoTime() - begun).plusSeconds(1);
        until(
                left,
                this::areBooksTrue,
                () -> "the books are not what the agents know: "
                        + observer.books().map(agents::differences).orElse(List.of("nobody reads the books")));
    }

    /**
     * An observation that was held up may have raised what is reserved: then agents report once more, but not at once.
     */
    private boolean areBooksTrue() {
        boolean so =
                observer.books().map(agents::differences).filter(List::isEmpty).isPresent();
        if (!so && System.nanoTime() - settledNanos > TELL_AGAIN_NANOS) {
            settle();
        }
        return so;
    }

    private void settle() {
        agents.settle();
        settledNanos = System.nanoTime();
    }

    /**
     * Waits for it.
     *
     * @throws Unhealed when it does not come true in time
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
