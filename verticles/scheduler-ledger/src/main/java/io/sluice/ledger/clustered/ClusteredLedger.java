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
 * The part of a Hazelcast member that keeps ledger state. It is created before the member, which it configures, and
 * then opened on it.
 *
 * <p>Two ledger processes never grant the same room. {@code docs/hazelcast.md} of this module argues why, in its
 * section "The nine points".
 */
public final class ClusteredLedger {
    static final String MAP = "sluice.ledger";
    private static final String PROTECTION = "sluice.ledger.majority";
    private static final String PRESENCE = "sluice.ledger.presence";
    private static final int PRESENCE_WAITING_MAX = 64;
    private static final Duration PRESENCE_EVERY = Duration.ofMillis(100);

    /** While all members confirm each other, probes are sent less often: twice a second. */
    private static final int PRESENCE_EVERY_SETTLED = 5;

    private static final int PROTECTION_SIZE_MIN = 2;

    /** Less than the bus waits for a reply, so that the last failure reaches the client with its reason. */
    private static final Duration TIMEOUT = Duration.ofMillis(800);

    private final LedgerMemberContext context;
    private final LedgerMembers members;
    private final Set<Safeguard> guards;

    /**
     * Creates the part of this process.
     *
     * @param size the number of ledger processes; with one there is neither a majority check nor a replica
     * @param nanoTime the monotonic clock
     * @param wall the clock from which the time of a new node ledger starts
     */
    public ClusteredLedger(LedgerRules rules, int size, LongSupplier nanoTime, InstantSource wall) {
        this(rules, size, EnumSet.allOf(Safeguard.class), nanoTime, wall);
    }

    ClusteredLedger(LedgerRules rules, int size, Set<Safeguard> guards, LongSupplier nanoTime, InstantSource wall) {
        if (size < 1 || size % 2 == 0) {
            throw new IllegalArgumentException("hazelcast.ledgers must be odd, such as 1, 3 or 5: " + size);
        }
        this.guards = Set.copyOf(guards);
        members = new LedgerMembers(size, Objects.requireNonNull(rules, "rules"));
        context = new LedgerMemberContext(rules, members, guards, nanoTime, wall);
    }

    /** Sets what has to be the same on every member of the Hazelcast cluster, data members and lite members. */
    public static void tune(Config config) {
        // Nothing is granted for a partition whose replica is missing: fewer partitions are replicated sooner.
        config.setProperty("hazelcast.partition.count", "31")
                .setProperty("hazelcast.operation.call.timeout.millis", "5000")
                .setProperty("hazelcast.operation.backup.timeout.millis", "1000")
                .setProperty("hazelcast.invocation.retry.pause.millis", "100")
                // A process that has ended refuses connections: after three refusals it is removed from the member
                // list.
                .setProperty("hazelcast.connection.monitor.interval", "50")
                .setProperty("hazelcast.heartbeat.interval.seconds", "1")
                .setProperty("hazelcast.max.no.heartbeat.seconds", "5")
                // A master that finds a member silent while another one joins would keep it for ever otherwise.
                .setProperty("hazelcast.async.join.strategy.enabled", "false")
                // The one that joins then gets a list with the removed member; the next list corrects that.
                .setProperty("hazelcast.member.list.publish.interval.seconds", "5")
                .setProperty("hazelcast.merge.first.run.delay.seconds", "5")
                .setProperty("hazelcast.merge.next.run.delay.seconds", "5")
                .addListenerConfig(new ListenerConfig(new ReplicaMigrationRetry()));
    }

    /** Configures a member that is to be started as a data member with ledger state. */
    public void configure(Config config) {
        tune(config);
        config.setProperty(
                "hazelcast.operation.fail.on.indeterminate.state",
                Boolean.toString(guards.contains(Safeguard.CONFIRMATION)));
        config.getSerializationConfig().addDataSerializableFactory(LedgerWire.FACTORY, LedgerWire.classes());
        members.sign(config.getMemberAttributeConfig());
        context.isOf(config);
        config.getExecutorConfig(PRESENCE).setPoolSize(1).setQueueCapacity(PRESENCE_WAITING_MAX);
        var map = config.getMapConfig(MAP)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setBackupCount(members.size() / 2)
                .setAsyncBackupCount(0)
                .setReadBackupData(false)
                .setStatisticsEnabled(false)
                .setMergePolicyConfig(
                        new MergePolicyConfig().setPolicy(mergePolicy().getName()));
        if (members.size() > 1) {
            map.setSplitBrainProtectionName(PROTECTION);
            config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig(PROTECTION, true, PROTECTION_SIZE_MIN)
                    .setProtectOn(SplitBrainProtectionOn.READ_WRITE)
                    .setFunctionImplementation(context));
        }
    }

    /** Without this safeguard, Hazelcast's default. */
    private Class<?> mergePolicy() {
        return guards.contains(Safeguard.DISCARD) ? DiscardMergePolicy.class : PutIfAbsentMergePolicy.class;
    }

    /** Opens the store on a member that was started with this configuration. */
    public LedgerStore open(HazelcastInstance member, Vertx vertx) {
        return open(member, vertx, TIMEOUT);
    }

    LedgerStore open(HazelcastInstance member, Vertx vertx, Duration timeout) {
        var store = new ClusteredLedgerStore(member.getMap(MAP), context, vertx, timeout);
        context.keeps(member);
        member.getCluster().addMembershipListener(new Listener(store));
        var executor = member.getExecutorService(PRESENCE);
        requestOthers(member, executor);
        var turn = new AtomicInteger();
        vertx.setPeriodic(PRESENCE_EVERY.toMillis(), timer -> {
            if (!member.getLifecycleService().isRunning()) {
                vertx.cancelTimer(timer);
            } else if (turn.incrementAndGet() % PRESENCE_EVERY_SETTLED == 0 || !context.isSettled()) {
                requestOthers(member, executor);
            }
        });
        return store;
    }

    /** Why this member grants nothing on any node now, in a sentence; empty while it grants. */
    public Optional<String> closed() {
        return context.refusal().map(GrantRefusal::sentence);
    }

    private void requestOthers(HazelcastInstance member, IExecutorService executor) {
        context.look();
        for (var other : context.others()) {
            request(member, executor, other);
        }
    }

    private void request(HazelcastInstance member, IExecutorService executor, Member other) {
        var stay = context.stay().id();
        try {
            executor.submitToMember(
                    new MembershipProbe(member.getCluster().getLocalMember().getUuid(), stay),
                    other,
                    new Heartbeats(other, stay, context.nanos()));
        } catch (RuntimeException notSent) {
            // For example because a member stops. Without a probe there is no reply. The other members still get
            // theirs.
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
            context.answered(other.getUuid(), stay, reply, sentNanos);
        }

        @Override
        public void onFailure(Throwable lost) {
            // Missing replies are what the majority check measures.
        }
    }

    private final class Listener implements MembershipListener {
        private final ClusteredLedgerStore store;

        private Listener(ClusteredLedgerStore store) {
            this.store = store;
        }

        @Override
        public void memberAdded(MembershipEvent event) {
            context.look();
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            context.look();
            store.memberLeft();
        }
    }
}
