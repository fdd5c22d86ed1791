package io.sluice.billing;

import io.sluice.billing.core.BillingScope;
import io.sluice.billing.core.FullListCheck;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxLog;
import io.sluice.billing.outbox.OutboxSettings;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.outbox.delivery.Delivery;
import io.sluice.billing.outbox.delivery.DeliveryContext;
import io.sluice.billing.outbox.delivery.Destination;
import io.sluice.billing.outbox.delivery.QueueCounts;
import io.sluice.billing.replica.Replicator;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.wire.AccountLineJson;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.shell.OnContext;
import io.sluice.shell.Replica;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Receives observations of VMs, and while this process leads, meters their use and writes bills to the outbox. It makes
 * the next commit after the previous one is durable, and copies it to other processes.
 */
public final class BillingVerticle extends VerticleBase {
    private static final String PART = "billing";
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /** {@code cluster.vms-watched} is published at the same interval. */
    private static final long NOTICE_EVERY_MS = 1000;

    private final BillingConfig config;
    private final Shell shell;
    private final BillingScope scope;
    private final UsageEvents events;
    private final Optional<String> node;
    private final FullListCheck check = new FullListCheck();
    private final BillingLog log = new BillingLog();
    private final MachineClock machine = new MachineClock();
    private final List<Destination> destinations;
    private BillingMetrics meters;
    private OutboxLog outboxLog;
    private Bus bus;
    private BillingClock clock;
    private Delivery delivery;
    private OutboxWriter writer;
    private TakenWindows taken;
    private Replicator replicator;
    private Leader leader;
    private ScalingEventPublisher scaling;
    private Metering metering;
    private Auditor auditor;
    private BillAnswers bills;
    private Optional<UsageCommit> unoffered = Optional.empty();
    private List<byte[]> gapLines = new ArrayList<>();
    private Outbox outbox;
    private boolean stopped;

    /** Creates a verticle that bills VMs of all nodes while this process leads. */
    public BillingVerticle(BillingConfig config, Shell shell) {
        this(config, shell, Optional.empty());
    }

    private BillingVerticle(BillingConfig config, Shell shell, Optional<String> node) {
        this.config = config;
        this.shell = shell;
        this.node = node;
        this.scope = new BillingScope(node);
        this.events = config.events();
        this.destinations = Destinations.of(config, shell.meters());
    }

    /** Creates a verticle that bills the VMs of one node. */
    public static BillingVerticle ofNode(String node, BillingConfig config, Shell shell) {
        return new BillingVerticle(config, shell, Optional.of(node));
    }

    @Override
    public Future<?> start() {
        shell.readiness().reports(PART, "outbox", () -> log.blocked().map(this::ofTheOutbox));
        shell.readiness().waitFor(PART, "its outbox in " + config.directory());
        meters = new BillingMetrics(shell.meters());
        outboxLog = new OutboxLog(shell.meters(), shell.clock());
        bus = new Bus(vertx);
        return vertx.executeBlocking(this::open)
                .compose(this::begin)
                .transform(begun -> begun.succeeded() ? Future.succeededFuture() : giveUp(begun.cause()));
    }

    /** Releases everything, so that the next start in this process finds it free. */
    private Future<Void> giveUp(Throwable failed) {
        stopped = true;
        if (leader != null) {
            leader.close();
        }
        var closing = delivery == null ? closeSinks() : delivery.stop(STOP_MAX);
        return closing.transform(closed -> {
            withdraw();
            closeMeters();
            return Future.failedFuture(failed);
        });
    }

    private Future<Void> closeSinks() {
        return vertx.executeBlocking(() -> {
            destinations.forEach(destination -> destination.sink().close());
            return null;
        });
    }

    private OpenedOutbox open() throws Exception {
        var queues = destinations.stream().map(Destination::queue).toList();
        var settings = new OutboxSettings(queues, shell.clock(), shell.random());
        return OpenedOutbox.read(Outbox.open(Path.of(config.directory()), settings, outboxLog));
    }

    private Future<?> begin(OpenedOutbox kept) {
        outbox = kept.outbox();
        delivery = new Delivery(
                vertx,
                kept.outbox(),
                destinations,
                new DeliveryContext(shell.clock(), shell.random(), shell.meters(), shell.readiness()));
        clock = new BillingClock(
                shell.clock(), machine.read(shell.clock()), kept.checkpoint().clock());
        log.clock(clock.ahead());
        ClockOffset.report(clock, meters, shell.readiness(), PART);
        if (Destination.queues(destinations, EventKind.BILLING).isEmpty()) {
            log.unpublished();
        }
        metering = Metering.of(config, clock, machine);
        writer = new OutboxWriter(delivery::offer, OpenedOutbox.METERS, kept.lastMeters());
        boolean shared = node.isEmpty() && !shell.peers().alone();
        replicator = new Replicator(
                shared ? shell.replica() : Replica.NONE,
                shell.peers().self().id(),
                UsageCheckpoint.CLOCK,
                config.maxReplicated());
        taken = new TakenWindows(
                new OutboxWriter(delivery::offer, OpenedOutbox.TAKEN, kept.lastTaken()), replicator, this::offered);
        leader = new Leader(vertx, shell, shared, replicator, this::onDisk, new Part(), log);
        scaling = new ScalingEventPublisher(
                new OutboxWriter(delivery::offer, OpenedOutbox.SCALING, kept.lastScaling()),
                Destination.queues(destinations, EventKind.SCALING_EVENTS),
                config.scalingEvents().regionName());
        auditor = new Auditor(bus, clock, node, auditEvery(), config.accumulateEvery());
        bills = new BillAnswers(bus, clock, node.orElse(shell.peers().self().id()), this::elsewhere);
        shell.dumps().offer(PART, new BillingDump(context, clock, metering, kept.outbox(), destinations));
        delivery.start();
        return leader.start(new OnContext(context))
                .compose(started -> subscribe())
                .onSuccess(received -> {
                    shell.readiness().waitFor(PART, "a full list of VMs");
                    audit();
                    requestFullList();
                    vertx.setPeriodic(NOTICE_EVERY_MS, timer -> notice());
                    tickLater();
                });
    }

    private Future<Map<String, byte[]>> onDisk(String prefix) {
        return vertx.executeBlocking(() -> outbox.checkpoints(prefix));
    }

    /** Without a queue for account lines no snapshots are requested. */
    private Duration auditEvery() {
        return Destination.queues(destinations, EventKind.ACCOUNT).isEmpty() ? Duration.ZERO : config.auditEvery();
    }

    /** Sends one request at a time, however long a reply takes. */
    private void audit() {
        if (!auditEvery().isZero() && !stopped) {
            (leader.leads() ? auditor.look() : Future.<Void>succeededFuture())
                    .onComplete(looked -> vertx.setTimer(auditEvery().toMillis(), timer -> audit()));
        }
    }

    /** Where the process is reached that bills a VM, unless it is this one. */
    private Optional<String> elsewhere(ReadVmBill request) {
        return node.isPresent()
                ? Optional.of(request.node())
                        .filter(other -> !other.isEmpty() && !node.get().equals(other))
                : leader.elsewhere();
    }

    private void requestFullList() {
        if (check.requests(clock.instant())) {
            bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
        }
    }

    private Future<?> subscribe() {
        return Future.all(
                bus.subscribe(ClusterAddresses.VM_OBSERVED, this::observed),
                bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                bus.subscribe(ClusterAddresses.LISTED, this::listed),
                bus.subscribe(ClusterAddresses.VMS_WATCHED, this::watched),
                scaling.subscribe(bus),
                bills.serve());
    }

    private void observed(VmObserved vm) {
        var use = scope.use(vm);
        metering.observed(use, clock.instant());
        forgetListIfMissed();
        check.named(vm.vm());
        meters.observed(vm, use.use().isPresent());
    }

    private void gone(VmGone vm) {
        metering.gone(vm.vm(), clock.instant());
        forgetListIfMissed();
        check.struck(vm.vm());
        meters.gone(vm.vm());
    }

    private void listed(FullListPublished fullList) {
        metering.tick(clock.instant());
        forgetListIfMissed();
        if (check.received(fullList.vms())) {
            metering.listed(clock.instant()).forEach(meters::gone);
            shell.readiness().ready(PART);
        }
        requestFullList();
    }

    private void watched(VmsWatched watched) {
        metering.watched(watched.driver(), clock.instant());
        missed(metering.census().missing());
        requestFullList();
    }

    /** Advances the time, also when nothing is received. */
    private void notice() {
        if (!stopped) {
            leader.weigh();
            metering.tick(clock.instant());
            missed(metering.census().missing());
        }
    }

    private void missed(String now) {
        forgetListIfMissed();
        log.missing(now);
    }

    /** Of a list of which a part arrived before changes were missed, only the rest counts. */
    private void forgetListIfMissed() {
        if (metering.takeRelistWanted()) {
            check.missed();
        }
    }

    private void tickLater() {
        var now = clock.instant();
        long waitMs = Math.max(1, Duration.between(now, metering.nextTick(now)).toMillis());
        vertx.setTimer(waitMs, timer -> tick());
    }

    private void tick() {
        if (stopped) {
            return;
        }
        try {
            unlessBroken(() -> {
                notice();
                var census = metering.census();
                meters.looked(census, leader.leads());
                log.givenUp(census.givenUp());
                offer(clock.instant());
                copy();
                scaling.offer();
            });
        } finally {
            tickLater();
        }
    }

    /** A defect must not end billing: the commit that was not written is kept, and the next tick tries again. */
    private void unlessBroken(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException broken) {
            log.broken(broken);
            hold(true, "bills cannot be made: " + broken);
        }
    }

    private void copy() {
        write();
        meters.copied(replicator);
        log.copies(replicator);
    }

    private Future<Void> write() {
        var counts = new QueueCounts(destinations, outbox);
        return replicator.write(counts::waiting, counts::setAside);
    }

    /** Repeats an unfinished write unchanged; a new commit waits for it. */
    private void offer(Instant now) {
        if (writer.isWaiting() || writer.isFree() && !leader.leads()) {
            return;
        }
        (writer.isFree() ? offerNew(now) : writer.again())
                .onSuccess(this::answered)
                .onFailure(failed -> hold(true, "the outbox failed: " + failed.getMessage()));
    }

    private Future<WriteResult> offerNew(Instant now) {
        var commit = unoffered.orElseGet(() -> metering.commit(now));
        unoffered = Optional.of(commit);
        var lines = eventsOf(commit.charges(), now);
        account(commit);
        var account = new ArrayList<>(gapLines);
        gapLines = new ArrayList<>();
        account.addAll(stopped ? auditor.last() : auditor.lines(now));
        if (!account.isEmpty()) {
            lines.put(EventKind.ACCOUNT, account);
        }
        unoffered = Optional.empty();
        bills.add(commit);
        var offered = offered(lines);
        lines.keySet().retainAll(offered.keySet().stream().map(QueueId::kind).toList());
        return writer.offer(
                offered,
                commit.checkpoints(),
                () -> replicator.committed(commit.checkpoints(), lines, offered.keySet()));
    }

    /** Returns the same events for each queue of their kind. */
    private Map<QueueId, List<byte[]>> offered(Map<EventKind, List<byte[]>> lines) {
        var offered = new HashMap<QueueId, List<byte[]>>();
        lines.forEach(
                (kind, events) -> Destination.queues(destinations, kind).forEach(queue -> offered.put(queue, events)));
        return offered;
    }

    private void account(UsageCommit commit) {
        meters.charged(commit.charges().size());
        auditor.billed(commit.charges());
        commit.gaps().forEach(gap -> {
            meters.missed(gap);
            gapLines.add(AccountLineJson.unbilled(gap));
        });
        log.missed(commit.gaps());
    }

    private Map<EventKind, List<byte[]>> eventsOf(List<UsageRecord> charges, Instant now) {
        var lines = new EnumMap<EventKind, List<byte[]>>(EventKind.class);
        if (!charges.isEmpty()) {
            lines.put(
                    EventKind.BILLING,
                    events.of(charges, now).stream().map(UsageEventJson::write).toList());
        }
        return lines;
    }

    private void answered(WriteResult acceptance) {
        switch (acceptance) {
            case WriteResult.Full full -> {
                hold(true, full.reason());
            }
            case WriteResult.Taken taken -> {
                hold(false, "");
                unlessBroken(this::offerTheRest);
            }
        }
    }

    /** Several windows may be over at once. Each is a write of its own, and the next one follows at once. */
    private void offerTheRest() {
        if (!stopped && leader.leads() && writer.isFree() && metering.hasMore()) {
            offer(clock.instant());
        } else {
            copy();
        }
    }

    private String ofTheOutbox(String trouble) {
        return trouble + " (" + config.directory() + ")";
    }

    private void hold(boolean holds, String reason) {
        metering.hold(holds);
        meters.blocked(holds);
        log.blocked(holds, reason);
    }

    /** Bills the open part of the window and sends what it can; the rest is durable in the outbox. */
    @Override
    public Future<?> stop() {
        stopped = true;
        withdraw();
        return (delivery == null ? Future.succeededFuture() : end()).onComplete(ended -> closeMeters());
    }

    private void withdraw() {
        shell.readiness().ready(PART);
        shell.dumps().withdraw(PART);
    }

    private Future<?> end() {
        return writer.quiet()
                .compose(quiet -> lastOffer())
                .eventually(() -> write().eventually(this::write))
                .eventually(() -> {
                    leader.close();
                    return Future.succeededFuture();
                })
                .eventually(scaling::last)
                .eventually(() -> delivery.stop(STOP_MAX));
    }

    private void closeMeters() {
        meters.close();
        outboxLog.close();
    }

    private Future<?> lastOffer() {
        if (!leader.leads()) {
            return Future.succeededFuture();
        }
        var first = writer.isFree() ? Future.<WriteResult>succeededFuture() : writer.again();
        return first.compose(answered -> {
            if (leader.isAlone()) {
                metering.flush(clock.instant());
            }
            return auditor.look().compose(looked -> lastOffers());
        });
    }

    private Future<?> lastOffers() {
        return writer.isFree()
                ? offerNew(clock.instant())
                        .onSuccess(this::answered)
                        .compose(answered -> metering.hasMore() ? lastOffers() : Future.succeededFuture())
                : Future.succeededFuture();
    }

    private final class Part implements Leader.Part {
        @Override
        public void lead(TakeOver from) {
            from.least().ifPresent(least -> log.advanced(clock.advance(least)));
            metering.lead(from, clock.instant());
            bills.lead(clock.instant());
            // A full list of which the log has received a part does not count.
            missed(metering.census().missing());
            hold(false, "");
        }

        @Override
        public void standBy() {
            metering.standBy();
            bills.standBy();
            unoffered = Optional.empty();
            check.missed();
            requestFullList();
        }

        @Override
        public void remove(Set<String> entries, Runnable durable) {
            if (writer.isFree()) {
                writer.offer(Map.of(), UsageCheckpoint.remove(entries, machine.status(clock)), durable)
                        .onSuccess(BillingVerticle.this::answered);
            }
        }

        @Override
        public Future<Void> take(String key, Map<EventKind, List<byte[]>> window) {
            return taken.take(key, window);
        }
    }
}
