package io.sluice.launcher.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.BusEndpoint;
import io.sluice.bus.BusTls;
import io.sluice.bus.ClusterAddresses;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.clustered.ClusteredLedger;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.shell.ClusterStatus;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Replica;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's membership in a Hazelcast cluster, from joining to leaving: Hazelcast's member, the other processes,
 * and a watch on both.
 */
public final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final String PART = "members";
    private static final Duration ALONE_MAX = Duration.ofSeconds(30);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration CANCEL_EVERY = Duration.ofMillis(200);
    private static final int BUS_EVERY = 5;

    private final HazelcastConfig config;
    private final Optional<ClusteredLedger> ledger;
    private final Readiness readiness;
    private final HazelcastInstance member;
    private final Optional<BusTls> busTls;
    private final MemberPeers peers;
    private final MembershipLog log = new MembershipLog();
    private final AtomicLong merges = new AtomicLong();
    private final AtomicLong repaired = new AtomicLong();
    private final Map<String, Instant> joinedAt = new ConcurrentHashMap<>();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sluice-members").factory());
    private volatile Optional<Joined> bus = Optional.empty();
    private volatile boolean safe;
    private long withoutDataSince;
    private int looks;

    /** The bus of this process, and what repairs it. */
    private record Joined(Bus bus, SubscriptionRepairer repairer) {}

    private Membership(
            HazelcastConfig config,
            Optional<ClusteredLedger> ledger,
            Readiness readiness,
            HazelcastInstance member,
            Optional<BusTls> busTls) {
        this.config = config;
        this.busTls = busTls;
        this.ledger = ledger;
        this.readiness = readiness;
        this.member = member;
        peers = new MemberPeers(member);
        member.getCluster().addMembershipListener(new Changes());
        member.getLifecycleService().addLifecycleListener(new Turns());
        observeMembers();
    }

    /**
     * Joins, and returns once there is a process with ledger state: before that no message can be sent on the bus.
     *
     * @param ledger of a process with the role ledger
     * @param ending whether the process is to end
     * @return empty when the process is to end before that
     * @throws HazelcastException or {@link IllegalStateException} when the member cannot start, such as for a port that
     *     is taken, or the bus could reach no other member because of its certificates
     */
    public static Optional<Membership> join(
            HazelcastConfig config,
            Set<Role> roles,
            Optional<ClusteredLedger> ledger,
            Readiness readiness,
            BooleanSupplier ending)
            throws InterruptedException {
        var busTls = config.busTls().read();
        while (!ending.getAsBoolean()) {
            readiness.waitFor(PART, "a process with the role ledger to join");
            var id = UUID.randomUUID().toString();
            var member = Hazelcast.newHazelcastInstance(MemberSettings.of(config, id, roles, ledger));
            if (hasData(member, ending)) {
                BusTlsAgreement.broken(member.getCluster()).ifPresent(sentence -> {
                    member.shutdown();
                    throw new IllegalStateException(sentence);
                });
                readiness.waitFor(PART, "the bus");
                return Optional.of(new Membership(config, ledger, readiness, member, busTls));
            }
            LOG.atWarn().log("There is no process with the role ledger; this one leaves and joins anew.");
            member.shutdown();
        }
        return Optional.empty();
    }

    /** Waits for a data member: lite members alone make no Hazelcast cluster that the bus could use. */
    private static boolean hasData(HazelcastInstance member, BooleanSupplier ending) throws InterruptedException {
        var there = new CountDownLatch(1);
        var id = member.getCluster().addMembershipListener(new Arrivals(member, there));
        try {
            if (isWithData(member)) {
                return true;
            }
            long end = System.nanoTime() + ALONE_MAX.toNanos();
            while (!ending.getAsBoolean() && System.nanoTime() < end) {
                if (there.await(CANCEL_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
            return false;
        } finally {
            member.getCluster().removeMembershipListener(id);
        }
    }

    private static boolean isWithData(HazelcastInstance member) {
        return member.getCluster().getMembers().stream().anyMatch(other -> !other.isLiteMember());
    }

    /**
     * Starts a Vert.x with a bus that reaches the other members.
     *
     * @param builder makes a builder from the options with those of the bus
     */
    public Future<Vertx> vertx(VertxOptions options, Function<VertxOptions, VertxBuilder> builder) {
        var manager = new RetryingClusterManager(member);
        var endpoint = new BusEndpoint(config.host(), config.busPort(), config.reachedAt(), busTls);
        return builder.apply(endpoint.in(options))
                .withClusterManager(manager)
                .buildClustered()
                .onSuccess(joined -> {
                    bus = Optional.of(new Joined(new Bus(joined), new SubscriptionRepairer(member, manager)));
                    watch.scheduleWithFixedDelay(
                            this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                });
    }

    /** Hazelcast's member. */
    public HazelcastInstance member() {
        return member;
    }

    /** The members. */
    public Peers peers() {
        return peers;
    }

    /** What the data members keep for this process. */
    public Replica replica(Vertx vertx) {
        return new MemberReplica(member, vertx);
    }

    /** Registers the metrics of the membership. */
    public void measure(MeterRegistry meters) {
        ledger.ifPresent(kept -> Gauge.builder(
                        "sluice.members.granting", kept, it -> it.closed().isEmpty() ? 1 : 0)
                .description("Whether this process grants now; only of a process with ledger state.")
                .register(meters));
        Gauge.builder("sluice.members.safe", this, joined -> joined.safe ? 1 : 0)
                .description("Whether every partition of which this process is the owner has all its replicas.")
                .register(meters);
        FunctionCounter.builder("sluice.members.merges", merges, AtomicLong::get)
                .description("How often this process was cut off and merged into the larger Hazelcast cluster.")
                .register(meters);
        FunctionCounter.builder("sluice.bus.subscriptions.repaired", repaired, AtomicLong::get)
                .description("How often wrong addresses on the bus were repaired.")
                .register(meters);
    }

    private Optional<String> closed() {
        return ledger.flatMap(ClusteredLedger::closed);
    }

    /** Completes, with a reason, when this process must leave and join anew. */
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** This process's view of the Hazelcast cluster. */
    public ClusterStatus status() {
        return new ClusterStatus(
                true,
                member.getLifecycleService().isRunning() ? membersObserved() : List.of(),
                config.ledgers(),
                closed().<ClusterStatus.Grants>map(ClusterStatus.Grants.Stopped::new)
                        .orElseGet(ClusterStatus.Grants.Allowed::new),
                safe,
                log.newestFirst());
    }

    private List<ClusterStatus.Member> membersObserved() {
        var keeping = member.getCluster().getMembers().stream()
                .filter(other -> !other.isLiteMember())
                .map(other -> String.valueOf(other.getAttribute(MemberSettings.NODE_ID)))
                .toList();
        return peers.all().stream()
                .map(peer -> new ClusterStatus.Member(
                        peer,
                        keeping.contains(peer.id()),
                        peer.id().equals(peers.self().id()),
                        Optional.ofNullable(joinedAt.get(peer.id()))))
                .sorted(Comparator.comparing(observed -> observed.peer().id()))
                .toList();
    }

    /** Leaves, after handing over its data; returns when that is done, within the member's own bound. */
    public void leave() {
        watch.shutdownNow();
        member.shutdown();
    }

    private void look() {
        try {
            if (!member.getLifecycleService().isRunning()) {
                lost.complete("its member has stopped");
                return;
            }
            lookForData();
            // Sends requests to other members and waits for them, so only this thread may call it.
            safe = member.getPartitionService().isLocalMemberSafe();
            logReadiness();
            looks++;
            if (looks % BUS_EVERY == 0) {
                lookAtBus();
            }
        } catch (RuntimeException thrown) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.ERROR, thrown.toString())
                    .log("The state of the Hazelcast cluster could not be read.");
        }
    }

    private void lookForData() {
        long now = System.nanoTime();
        if (isWithData(member)) {
            withoutDataSince = 0;
        } else if (withoutDataSince == 0) {
            withoutDataSince = now;
        } else if (now - withoutDataSince > ALONE_MAX.toNanos()) {
            lost.complete("there has been no process with the role ledger for " + ALONE_MAX.toSeconds() + " s");
        }
    }

    private void logReadiness() {
        var closed = closed();
        var apart = BusTlsAgreement.broken(member.getCluster());
        if (withoutDataSince != 0) {
            readiness.waitFor(PART, "a process with the role ledger to join");
        } else if (apart.isPresent()) {
            readiness.waitFor(PART, apart.get());
        } else if (closed.isPresent()) {
            readiness.waitFor(PART, closed.get());
        } else if (!safe) {
            readiness.waitFor(PART, "replicas of the ledger's state that are being made");
        } else {
            readiness.ready(PART);
        }
    }

    private void lookAtBus() {
        bus.ifPresent(joined -> {
            var repairs = joined.repairer().look();
            relist(joined.bus(), repairs);
            if (repairs.anything()) {
                logRepairs(repairs);
            }
        });
    }

    /** Events are sent once, so observations that the bus may have lost are requested again. */
    private static void relist(Bus bus, SubscriptionRepairer.Repairs repairs) {
        var wanted = new RelistRequest(RelistRequest.BUS);
        if (repairs.published()) {
            bus.publish(ClusterAddresses.RELIST_WANTED, wanted);
        } else if (repairs.membersChanged()) {
            bus.publishHere(ClusterAddresses.RELIST_WANTED, wanted);
        }
    }

    private void logRepairs(SubscriptionRepairer.Repairs repairs) {
        var sentence = "the bus was repaired: "
                + (repairs.dropped() > 0
                        ? repairs.dropped() + " addresses of processes that are gone dropped"
                                + (repairs.published() ? ", " : "")
                        : "")
                + (repairs.published() ? "addresses of this process published again" : "");
        log.add(sentence);
        repaired.incrementAndGet();
        LOG.atWarn().addKeyValue(LogKeys.REASON, sentence).log("Wrong addresses on the bus were repaired.");
    }

    private void observeMembers() {
        var members = member.getCluster().getMembers();
        members.forEach(other ->
                joinedAt.putIfAbsent(String.valueOf(other.getAttribute(MemberSettings.NODE_ID)), Instant.now()));
        peers.observe(members);
        joinedAt.keySet().retainAll(peers.all().stream().map(Peer::id).toList());
    }

    private void changed(String what, Member other) {
        var sentence = "the member " + other.getAddress().getHost() + ":"
                + other.getAddress().getPort() + " (" + roles(other) + ") " + what;
        log.add(sentence);
        LOG.atInfo()
                .addKeyValue(
                        LogKeys.ENDPOINT,
                        other.getAddress().getHost() + ":" + other.getAddress().getPort())
                .addKeyValue(LogKeys.ROLE, roles(other))
                .addKeyValue(LogKeys.COUNT, member.getCluster().getMembers().size())
                .log("A member " + what + ".");
        observeMembers();
    }

    private static String roles(Member other) {
        return String.valueOf(other.getAttribute(MemberSettings.ROLES));
    }

    private final class Changes implements MembershipListener {
        @Override
        public void memberAdded(MembershipEvent event) {
            changed("joined", event.getMember());
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            changed("left", event.getMember());
        }
    }

    /**
     * Handles merges: after a merge this process has lost its part of the bus's subscriptions to the larger side. A
     * process that waits for ledger state also joins the others by a merge, but that merge began before this listener
     * was added, so nothing was cut off.
     */
    private final class Turns implements LifecycleListener {
        private volatile boolean cutOff;

        @Override
        public void stateChanged(LifecycleEvent event) {
            switch (event.getState()) {
                case MERGING -> cutOff = true;
                case MERGED -> {
                    if (cutOff) {
                        logMerge();
                    }
                    cutOff = false;
                    observeMembers();
                    watch.execute(Membership.this::lookAtBusNow);
                }
                case MERGE_FAILED ->
                    lost.complete("it was cut off and could not merge into the larger Hazelcast cluster");
                case SHUTDOWN -> lost.complete("its member has stopped");
                case STARTING,
                        STARTED,
                        SHUTTING_DOWN,
                        CLIENT_CONNECTED,
                        CLIENT_DISCONNECTED,
                        CLIENT_CHANGED_CLUSTER -> {}
            }
        }
    }

    private void logMerge() {
        merges.incrementAndGet();
        log.add("this process was cut off, and merged into the larger Hazelcast cluster");
        LOG.atWarn().log("This process was cut off and has merged into the larger Hazelcast cluster.");
    }

    private void lookAtBusNow() {
        try {
            lookAtBus();
        } catch (RuntimeException thrown) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.ERROR, thrown.toString())
                    .log("The repair of the bus's addresses failed and is repeated later.");
        }
    }

    private record Arrivals(HazelcastInstance member, CountDownLatch there) implements MembershipListener {
        @Override
        public void memberAdded(MembershipEvent event) {
            if (!event.getMember().isLiteMember()) {
                there.countDown();
            }
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            // A member that leaves brings no data.
        }
    }
}
