package io.sluice.ledger.clustered;

import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import io.sluice.shell.LoopbackPorts;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ledger processes at places, the lowest address first, between which {@link Wires} can be cut; with short times. */
final class Ledgers implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(40);
    private static final String REMOVED_AFTER_SECONDS = "5";
    private static final Duration TIMEOUT = Duration.ZERO;

    private final int size;
    private final Set<Safeguard> guards;
    private final String name = "cut-" + System.nanoTime();
    private final List<Integer> ports;
    private final Vertx vertx = Vertx.vertx();
    private final List<Members.Started> started;
    private final List<AutoCloseable> open;
    private final Map<Integer, AtomicInteger> fewest = new ConcurrentHashMap<>();
    final Wires wires;

    Ledgers(int size) {
        this(size, EnumSet.allOf(Safeguard.class));
    }

    Ledgers(int size, Set<Safeguard> guards) {
        this.size = size;
        this.guards = guards;
        ports = Stream.generate(LoopbackPorts::next).limit(size).toList();
        wires = new Wires(ports);
        started = new ArrayList<>(Collections.nCopies(size, null));
        open = new ArrayList<>(Collections.nCopies(size, null));
    }

    /**
     * Starts all places, one after the other, until all admit each other: before that, a loss counts as the second one.
     */
    Ledgers startAll() {
        IntStream.range(0, size).forEach(this::start);
        awaitSettled();
        return this;
    }

    void awaitSettled() {
        await().atMost(WAIT)
                .until(() -> IntStream.range(0, size)
                        .allMatch(place -> at(place).context().isSettled()));
    }

    Members.Started start(int place) {
        open.set(place, wires.open(place));
        var ledger = new ClusteredLedger(Members.RULES, size, guards, System::nanoTime, InstantSource.system());
        var config = new Config().setClusterName(name);
        var network = config.getNetworkConfig()
                .setPort(ports.get(place))
                .setPortAutoIncrement(false)
                .setPublicAddress(wires.reached(place));
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true);
        IntStream.range(0, size)
                .forEach(other -> network.getJoin().getTcpIpConfig().addMember(wires.reached(other)));
        ledger.configure(config);
        config.setProperty("hazelcast.local.localAddress", wires.own(place))
                .setProperty("hazelcast.logging.type", "none")
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.socket.client.bind.any", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0")
                .setProperty("hazelcast.max.join.seconds", "30")
                .setProperty("hazelcast.max.no.heartbeat.seconds", REMOVED_AFTER_SECONDS)
                .setProperty("hazelcast.merge.first.run.delay.seconds", "1")
                .setProperty("hazelcast.merge.next.run.delay.seconds", "1");
        var member = Hazelcast.newHazelcastInstance(config);
        var one = new Members.Started(
                member, ledger, ledger.open(member, vertx, TIMEOUT), LedgerMemberContext.of(member));
        started.set(place, one);
        fewest.put(place, new AtomicInteger(size));
        member.getCluster().addMembershipListener(new Fewest(fewest.get(place)));
        return one;
    }

    Members.Started at(int place) {
        return started.get(place);
    }

    /** Ends a member at once, as {@code kill -9} does. */
    void kill(int place) {
        close(open.get(place));
        at(place).member().getLifecycleService().terminate();
        wires.end(place);
    }

    /**
     * Whether that member had fewer than a majority in its list at any time: on a busy machine members may lose each
     * other without a cause.
     */
    boolean lostTheMajority(int place) {
        return fewest.get(place).get() <= size / 2;
    }

    /** Waits until that member has so many members in its list. */
    void awaitMembers(int place, int count) {
        await().atMost(WAIT)
                .until(() -> at(place).member().getCluster().getMembers().size(), size -> size == count);
    }

    /** Waits until they grant. */
    void awaitOpen(int... places) {
        for (int place : places) {
            await().atMost(WAIT).until(() -> at(place).ledger().closed().isEmpty());
        }
    }

    /** The smallest number of members in the list. */
    private record Fewest(AtomicInteger count) implements MembershipListener {
        @Override
        public void memberAdded(MembershipEvent event) {
            // Only losses are counted.
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            count.accumulateAndGet(event.getMembers().size(), Math::min);
        }
    }

    private static void close(AutoCloseable some) {
        try {
            some.close();
        } catch (Exception notClosed) {
            throw new IllegalStateException(notClosed);
        }
    }

    @Override
    public void close() {
        started.stream()
                .filter(one -> one != null)
                .forEach(one -> one.member().getLifecycleService().terminate());
        wires.close();
        vertx.close().await();
    }
}
