package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.ExecutionCallback;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.store.LedgerStore;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The part of a Hazelcast member that keeps books. Made before the member, which it configures; then opened on it.
 *
 * <p>Two ledgers never promise the same room: the module's README says why.
 */
public final class ClusteredLedger {
    static final String MAP = "sluice.ledger";
    private static final String PROTECTION = "sluice.ledger.majority";
    private static final String PRESENCE = "sluice.ledger.presence";
    private static final int PRESENCE_WAITING_MAX = 64;
    private static final Duration PRESENCE_EVERY = Duration.ofMillis(100);

    /** While all confirm each other, they are asked less often: twice a second. */
    private static final int PRESENCE_EVERY_SETTLED = 5;

    private static final int PROTECTION_SIZE_MIN = 2;

    /** Less than whoever asks by the bus waits for an answer, so that the last one says what is wrong. */
    private static final Duration PATIENCE = Duration.ofMillis(800);

    private final LedgerMemberContext keeper;
    private final LedgerMembers roll;
    private final Set<Safeguard> guards;

    /**
     * The part of this process.
     *
     * @param size how many processes keep books in all: with one, nothing protects the books and nothing is copied
     * @param nanoTime the monotonic clock
     * @param wall where the time of books that are new begins
     */
    public ClusteredLedger(LedgerRules rules, int size, LongSupplier nanoTime, InstantSource wall) {
        this(rules, size, EnumSet.allOf(Safeguard.class), nanoTime, wall);
    }

    ClusteredLedger(LedgerRules rules, int size, Set<Safeguard> guards, LongSupplier nanoTime, InstantSource wall) {
        if (size < 1 || size % 2 == 0) {
            throw new IllegalArgumentException("members.ledgers must be odd, such as 1, 3 or 5: " + size);
        }
        this.guards = Set.copyOf(guards);
        roll = new LedgerMembers(size, Objects.requireNonNull(rules, "rules"));
        keeper = new LedgerMemberContext(rules, roll, guards, nanoTime, wall);
    }

    /** What every member of the cluster must be told alike, whether it keeps books or not. */
    public static void tune(Config config) {
        // Nothing is granted for a partition whose copy is still to be made: fewer partitions are copied sooner.
        config.setProperty("hazelcast.partition.count", "31")
                .setProperty("hazelcast.operation.call.timeout.millis", "5000")
                .setProperty("hazelcast.operation.backup.timeout.millis", "1000")
                .setProperty("hazelcast.invocation.retry.pause.millis", "100")
                // A process that is gone refuses connections: after three of them it is no member any more.
                .setProperty("hazelcast.connection.monitor.interval", "50")
                .setProperty("hazelcast.heartbeat.interval.seconds", "1")
                .setProperty("hazelcast.max.no.heartbeat.seconds", "5")
                .setProperty("hazelcast.merge.first.run.delay.seconds", "5")
                .setProperty("hazelcast.merge.next.run.delay.seconds", "5")
                .addListenerConfig(new ListenerConfig(new ReplicaMigrationRetry()));
    }

    /** Makes the member that is to be started one that keeps books. */
    public void configure(Config config) {
        tune(config);
        config.setProperty(
                "hazelcast.operation.fail.on.indeterminate.state",
                Boolean.toString(guards.contains(Safeguard.CONFIRMATION)));
        config.getSerializationConfig().addDataSerializableFactory(LedgerWire.FACTORY, LedgerWire.classes());
        roll.sign(config.getMemberAttributeConfig());
        keeper.isOf(config);
        config.getExecutorConfig(PRESENCE).setPoolSize(1).setQueueCapacity(PRESENCE_WAITING_MAX);
        var map = config.getMapConfig(MAP)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setBackupCount(roll.size() / 2)
                .setAsyncBackupCount(0)
                .setReadBackupData(false)
                .setStatisticsEnabled(false)
                .setMergePolicyConfig(
                        new MergePolicyConfig().setPolicy(mergePolicy().getName()));
        if (roll.size() > 1) {
            map.setSplitBrainProtectionName(PROTECTION);
            config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig(PROTECTION, true, PROTECTION_SIZE_MIN)
                    .setProtectOn(SplitBrainProtectionOn.READ_WRITE)
                    .setFunctionImplementation(keeper));
        }
    }

    /** Without the guard, Hazelcast's own default. */
    private Class<?> mergePolicy() {
        return guards.contains(Safeguard.DISCARD) ? DiscardMergePolicy.class : PutIfAbsentMergePolicy.class;
    }

    /** The books, on a member that was started as configured. */
    public LedgerStore open(HazelcastInstance member, Vertx vertx) {
        return open(member, vertx, PATIENCE);
    }

    LedgerStore open(HazelcastInstance member, Vertx vertx, Duration patience) {
        var store = new ClusteredLedgerStore(member.getMap(MAP), keeper, vertx, patience);
        keeper.keeps(member);
        member.getCluster().addMembershipListener(new Listener(store));
        var executor = member.getExecutorService(PRESENCE);
        askOthers(member, executor);
        var turn = new AtomicInteger();
        vertx.setPeriodic(PRESENCE_EVERY.toMillis(), timer -> {
            if (!member.getLifecycleService().isRunning()) {
                vertx.cancelTimer(timer);
            } else if (turn.incrementAndGet() % PRESENCE_EVERY_SETTLED == 0 || !keeper.isSettled()) {
                askOthers(member, executor);
            }
        });
        return store;
    }

    /** Why this member grants nothing for any node now, in a sentence; empty while it does. */
    public Optional<String> closed() {
        return keeper.refusal().map(GrantRefusal::sentence);
    }

    private void askOthers(HazelcastInstance member, IExecutorService executor) {
        keeper.look();
        for (var other : keeper.others()) {
            ask(member, executor, other);
        }
    }

    private void ask(HazelcastInstance member, IExecutorService executor, Member other) {
        var stay = keeper.stay().id();
        try {
            executor.submitToMember(
                    new MembershipProbe(member.getCluster().getLocalMember().getUuid(), stay),
                    other,
                    new Heartbeats(other, stay, keeper.nanos()));
        } catch (RuntimeException notSent) {
            // Such as by a member that stops: who asks nobody hears nobody. The others are asked all the same.
        }
    }

    private final class Heartbeats implements ExecutionCallback<ProbeReply> {
        private final Member other;
        private final UUID stay;
        private final long sentNanos;

        private Heartbeats(Member other, UUID stay, long sentNanos) {
            this.other = other;
            this.stay = stay;
            this.sentNanos = sentNanos;
        }

        @Override
        public void onResponse(ProbeReply reply) {
            keeper.answered(other.getUuid(), stay, reply, sentNanos);
        }

        @Override
        public void onFailure(Throwable lost) {
            // Silence is what is measured.
        }
    }

    private final class Listener implements MembershipListener {
        private final ClusteredLedgerStore store;

        private Listener(ClusteredLedgerStore store) {
            this.store = store;
        }

        @Override
        public void memberAdded(MembershipEvent event) {
            keeper.look();
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            keeper.look();
            store.memberLeft();
        }
    }
}
