package io.sluice.ledger.clustered;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.Portions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;

/** Real members on loopback, in this process. */
final class Members implements AutoCloseable {
    static final LedgerRules RULES = new LedgerRules(
            Duration.ofSeconds(10), 0.9, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE);

    private static final Duration SETTLED_MAX = Duration.ofSeconds(20);

    private final Vertx vertx = Vertx.vertx();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Started> started = new ArrayList<>();
    private final List<HazelcastInstance> lite = new ArrayList<>();
    private final List<Config> configs = new ArrayList<>();
    private final String name = "test-" + System.nanoTime();
    private final Duration timeout;
    private final Map<String, String> properties = new HashMap<>();

    /** A started member with its ledger. */
    record Started(HazelcastInstance member, ClusteredLedger ledger, LedgerStore store, LedgerMemberContext context) {}

    /** Members whose stores report failures at once. */
    Members(int most) {
        this(most, Duration.ZERO);
    }

    Members(int most, Duration timeout) {
        this.timeout = timeout;
        for (int i = 0; i < most; i++) {
            ports.add(LoopbackPorts.next());
        }
    }

    /** Sets a property of Hazelcast for members that are started later. */
    void property(String key, String value) {
        properties.put(key, value);
    }

    Started start(int size) {
        return start(RULES, size, EnumSet.allOf(Safeguard.class), System::nanoTime, InstantSource.system());
    }

    Started start(LedgerRules rules, int size, Set<Safeguard> guards, LongSupplier nanoTime, InstantSource wall) {
        var ledger = new ClusteredLedger(rules, size, guards, nanoTime, wall);
        var config = base(started.size() + lite.size());
        ledger.configure(config);
        properties.forEach(config::setProperty);
        var member = Hazelcast.newHazelcastInstance(config);
        var one = new Started(member, ledger, ledger.open(member, vertx, timeout), LedgerMemberContext.of(member));
        started.add(one);
        return one;
    }

    /**
     * Starts a member that can reach only some of the others.
     *
     * @param known indices of the members that it can reach
     */
    Started startApart(Set<Safeguard> guards, List<Integer> known) {
        var ledger = new ClusteredLedger(RULES, 3, guards, System::nanoTime, InstantSource.system());
        var config = base(started.size());
        config.getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .setMembers(known.stream().map(this::address).toList());
        ledger.configure(config);
        var member = Hazelcast.newHazelcastInstance(config);
        var one = new Started(member, ledger, ledger.open(member, vertx, timeout), LedgerMemberContext.of(member));
        started.add(one);
        configs.add(config);
        return one;
    }

    /** Waits until all admit each other. Before that, a member that is lost counts as the second loss. */
    void awaitSettled() {
        Awaitility.await()
                .atMost(SETTLED_MAX)
                .until(() -> started.stream().allMatch(one -> one.context().isSettled()));
    }

    /** Lets the members that were started apart reach all others. */
    void introduce() {
        configs.forEach(config -> ports.forEach(
                port -> config.getNetworkConfig().getJoin().getTcpIpConfig().addMember("127.0.0.1:" + port)));
    }

    private String address(int index) {
        return "127.0.0.1:" + ports.get(index);
    }

    /** Starts a lite member. */
    HazelcastInstance startLite() {
        var config = base(started.size() + lite.size());
        ClusteredLedger.tune(config);
        properties.forEach(config::setProperty);
        var member = Hazelcast.newHazelcastInstance(config.setLiteMember(true));
        lite.add(member);
        return member;
    }

    private Config base(int index) {
        var config = new Config().setClusterName(name);
        var network = config.getNetworkConfig().setPort(ports.get(index)).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true);
        ports.forEach(port -> network.getJoin().getTcpIpConfig().addMember("127.0.0.1:" + port));
        config.setProperty("hazelcast.logging.type", "none")
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0");
        return config;
    }

    @Override
    public void close() {
        lite.forEach(member -> member.getLifecycleService().terminate());
        started.forEach(one -> one.member().getLifecycleService().terminate());
        vertx.close().await();
    }
}
